import { errorCode, errorText } from '../../display/errors.ts';
import type { Upstreams } from '../routing/upstreams.ts';
import { SharedGateway } from '../sharing/sharedGateway.ts';
import type { TrafficCommand } from '../traffic/protocol.ts';
import type { ListenerCommand, WorkerMessage } from './protocol.ts';

/** Runs the commands for the gateway, one after the other. */
export class WorkerListener {
  readonly #gateway: SharedGateway;
  readonly #post: (message: WorkerMessage) => void;
  #last: Promise<void> = Promise.resolve();

  constructor(upstreams: Upstreams, post: (message: WorkerMessage) => void) {
    this.#post = post;
    this.#gateway = new SharedGateway({ upstreams, post, enqueue: (task) => void this.#enqueue(task) });
  }

  /** Resolves when the command has finished. Errors are posted, not thrown. */
  run(command: ListenerCommand): Promise<void> {
    const number = 'number' in command ? command.number : undefined;
    return this.#enqueue(() => (number === undefined ? this.#run(command) : this.#runNumbered(command, number)));
  }

  async #runNumbered(command: ListenerCommand, number: number): Promise<void> {
    try {
      await this.#run(command);
      this.#post({ type: 'ran', number });
    } catch (error) {
      this.#post({ type: 'ran', number, failure: failureOf(error) });
    }
  }

  /** Runs immediately, so that views of the traffic do not wait for a gateway that starts or stops. */
  observe(command: TrafficCommand): void {
    switch (command.type) {
      case 'watchTraffic':
        this.#gateway.subscriptions.watch(command.isOn);
        return;
      case 'askTraffic':
        this.#gateway.subscriptions.ask(command);
        return;
      case 'reportCalls':
        this.#gateway.subscriptions.reportCalls(command.calls);
        return;
      case 'reportBranch':
        this.#gateway.subscriptions.reportBranch(command);
        return;
      case 'grantTrust':
        this.#gateway.grantTrust();
        return;
    }
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(task).catch((error: unknown) => this.#post({ type: 'failed', ...failureOf(error) }));
    return this.#last;
  }

  async #run(command: ListenerCommand): Promise<void> {
    switch (command.type) {
      case 'listen':
        return this.#gateway.listen(command);
      case 'close':
        await this.#gateway.close(command.graceMs);
        this.#post({ type: 'closed' });
        return;
      case 'leave':
        await this.#gateway.leave(command.graceMs);
        this.#post({ type: 'closed' });
        return;
      case 'change':
        return this.#gateway.change(command.settings);
    }
  }
}

function failureOf(error: unknown): { readonly code?: string; readonly message: string } {
  const code = errorCode(error);
  return { ...(code !== undefined && { code }), message: errorText(error) };
}
