/** The gateway of three windows that share it, in any order of what is done and awaited. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { GatewayController, type GatewayServices } from '../../../src/editor/gateway/gatewayController.ts';
import { GatewayListener } from '../../../src/editor/worker/gatewayListener.ts';
import { WorkQueue } from '../../../src/editor/workQueue.ts';
import type { HostMessage, ListenerCommand, WorkerMessage } from '../../../src/gateway/worker/protocol.ts';
import { AnyOrder, type Step } from '../../support/anyOrder.ts';
import { EventEmitter } from '../../support/editorApi/vscode.ts';
import { schedules } from '../../support/randomRuns.ts';

const never = () => ({ dispose: () => undefined });

/** The gateway that all windows find at its port. */
class Gateway {
  readonly windows: Window[] = [];
  owner: Window | undefined;
  upstream: unknown;

  close(): void {
    this.owner = undefined;
    for (const window of this.windows) window.leave();
  }
}

/** A window: the classes of the host, and a worker that takes time for each command. */
class Window {
  readonly controller: GatewayController;
  readonly #gateway: Gateway;
  readonly #order: AnyOrder;
  readonly #listener: GatewayListener;
  readonly #worker = new WorkQueue();
  readonly #appeared = new EventEmitter<void>();
  readonly #upstreamChanged = new EventEmitter<void>();
  #hasJoined = false;
  upstream = 0;

  constructor(gateway: Gateway, order: AnyOrder) {
    this.#gateway = gateway;
    this.#order = order;
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const send = (message: HostMessage) => {
      if (message.type === 'listen' || message.type === 'close' || message.type === 'change')
        void this.#worker.run(() => this.#run(message));
    };
    this.#listener = new GatewayListener({ isRunning: true, send }, log as never);
    const read = async () => {
      // What is read first may arrive late.
      const { upstream } = this;
      await order.delay('read the upstream');
      return upstream;
    };
    const services = {
      worker: { listener: this.#listener, send, onDidReceiveKeys: never, onDidExit: never },
      localKeys: {
        onDidChange: never,
        read: async () => {
          await order.delay('read the keys');
          return { keys: [] };
        },
      },
      ledger: 'ledger',
      upstream: { onDidChange: this.#upstreamChanged.event, isAvailable: true, read },
      presence: {
        onDidAppear: this.#appeared.event,
        get exists() {
          return gateway.owner !== undefined;
        },
      },
      settings: { gatewayPort: 8787, secretPolicy: 'off', upstreams: { upstreams: [] }, onDidChange: never },
      secretValues: { onDidChange: never },
      log,
    };
    this.controller = new GatewayController(services as unknown as GatewayServices);
    gateway.windows.push(this);
  }

  get hasJoined(): boolean {
    return this.#hasJoined;
  }

  changeUpstream(upstream: number): void {
    this.upstream = upstream;
    this.#upstreamChanged.fire();
  }

  /** Called when the gateway was stopped in any window. */
  leave(): void {
    if (!this.#hasJoined) return;
    this.#hasJoined = false;
    this.#post({ type: 'closed' });
  }

  #post(message: WorkerMessage): void {
    if (message.type === 'listening' || message.type === 'closed' || message.type === 'ran')
      this.#listener.receive(message);
  }

  async #run(command: ListenerCommand): Promise<void> {
    await this.#order.delay(command.type);
    const number = 'number' in command ? (command.number ?? 0) : 0;
    switch (command.type) {
      case 'listen':
        this.#listen(command.onlyJoin === true, command.upstream);
        this.#post({ type: 'ran', number });
        return;
      case 'close':
        if (this.#hasJoined) this.#gateway.close();
        else this.#post({ type: 'closed' });
        this.#post({ type: 'ran', number });
        return;
      case 'change':
        if (this.#hasJoined) this.#gateway.upstream = command.settings.upstream;
    }
  }

  #listen(onlyJoin: boolean, upstream: unknown): void {
    const gateway = this.#gateway;
    if (gateway.owner === undefined && onlyJoin) {
      this.#post({ type: 'closed' });
      return;
    }
    const isNew = gateway.owner === undefined;
    if (isNew) Object.assign(gateway, { owner: this, upstream });
    this.#hasJoined = true;
    const owner = gateway.owner === this ? 'self' : 'other';
    this.#post({ type: 'listening', address: 'http://127.0.0.1:8787/api/v1', port: 8787, owner });
    if (isNew) for (const window of gateway.windows) if (window !== this) window.#appeared.fire();
  }
}

type Action = 'start' | 'startTwice' | 'stop' | 'stopTwice' | 'change';

const ACTIONS: readonly Action[] = ['start', 'start', 'startTwice', 'stop', 'stopTwice', 'change', 'change'];

describe('the gateway of three windows, in any order of what is done and awaited', () => {
  const actions = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.nat(2)), { minLength: 1, maxLength: 8 });

  function stepOf(action: Action, windows: readonly Window[], at: number, number: number): Step {
    const window = windows[at] ?? assert.fail();
    const { controller } = window;
    const acts: Readonly<Record<Action, () => unknown>> = {
      start: () => controller.start(),
      startTwice: () => Promise.all([controller.start(), controller.start()]),
      stop: () => controller.stop(),
      stopTwice: () => Promise.all([controller.stop(), controller.stop()]),
      // All windows have the same settings and keys, and hear of a change.
      change: () => {
        for (const each of windows) each.changeUpstream(number);
      },
    };
    return { what: `window ${at}: ${action}`, act: acts[action] };
  }

  it('runs or is off in all of them alike, and uses the upstream of the last change', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const gateway = new Gateway();
        const windows = [0, 1, 2].map(() => new Window(gateway, order));
        order.plan(done.map(([action, at], number) => stepOf(action, windows, at, number + 1)));
        await order.run();
        for (const { controller, hasJoined } of windows) {
          const { state } = controller.state;
          assert.equal(state === 'running', hasJoined, 'the window shows something else than there is');
          assert.notEqual(state, 'starting');
        }
        assert.deepEqual(order.errors, []);
        const upstream = done.findLastIndex(([action]) => action === 'change') + 1;
        if (gateway.owner !== undefined) assert.equal(gateway.upstream, upstream, 'an earlier upstream is used');
      }),
      { numRuns: schedules(300) },
    );
  });

  it('is off everywhere after one stop, whatever was begun before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, fc.nat(2), async (scheduler, done, at) => {
        const order = new AnyOrder(scheduler);
        const gateway = new Gateway();
        const windows = [0, 1, 2].map(() => new Window(gateway, order));
        order.plan(done.map(([action, one], number) => stepOf(action, windows, one, number)));
        await order.run();
        const window = windows[at] ?? assert.fail();
        order.plan([
          { what: 'start', act: () => window.controller.start() },
          { what: 'stop', act: () => window.controller.stop() },
        ]);
        await order.run();
        assert.deepEqual([gateway.owner, window.controller.state.state], [undefined, 'off']);
      }),
      { numRuns: schedules(100) },
    );
  });
});
