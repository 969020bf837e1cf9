/** The connection of a window whose key, address, and sandbox are changed here and in another window. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ConnectionManager } from '../../../src/editor/connection/connectionManager.ts';
import { ServiceKeys } from '../../../src/editor/connection/serviceKeys.ts';
import { ApiKey } from '../../../src/service/apiKey.ts';
import { parseKey } from '../../../src/service/pastedKey.ts';
import { AnyOrder, type Step } from '../../support/anyOrder.ts';
import { EventEmitter, window } from '../../support/editorApi/vscode.ts';
import { memorySecrets } from '../../support/memorySecrets.ts';
import { schedules } from '../../support/randomRuns.ts';

type Action = 'set key' | 'set key elsewhere' | 'remove key' | 'sandbox' | 'refresh' | 'look';

const ACTIONS: readonly Action[] = [
  'set key',
  'set key',
  'set key elsewhere',
  'remove key',
  'sandbox',
  'refresh',
  'look',
];

class Person {
  readonly connection: ConnectionManager;
  readonly #order: AnyOrder;
  readonly #keys: ServiceKeys;
  readonly #changed = new EventEmitter<void>();
  readonly #settings = {
    baseAddress: '',
    sandboxEnabled: false,
    sandboxDelay: 0,
    onDidChange: (_names: readonly string[], listener: () => unknown) => this.#changed.event(listener),
  };

  constructor(order: AnyOrder) {
    this.#order = order;
    this.#keys = new ServiceKeys(memorySecrets(order.delay) as never, {});
    this.connection = new ConnectionManager({
      keys: this.#keys,
      settings: this.#settings,
      worker: { setSandboxDelay: () => undefined, rpc: { ask: () => assert.fail('Nothing is asked.') } },
      log: { info: () => undefined, error: (_: string, error: unknown) => assert.fail(String(error)) },
      sealing: { wrap: (fetch: unknown) => fetch, dispose: () => undefined },
      globalState: { get: () => undefined, update: async () => undefined },
    } as never);
    this.connection.onDidChange(() => this.look());
  }

  do(action: Action, number: number): unknown {
    switch (action) {
      case 'set key':
        return this.connection.change(() => this.#set(number));
      // The secret and the setting arrive one after the other.
      case 'set key elsewhere':
        return this.#set(number);
      case 'remove key':
        return this.#keys.remove();
      case 'sandbox':
        return this.#configure({ sandboxEnabled: !this.#settings.sandboxEnabled });
      case 'refresh':
        return this.connection.refresh();
      case 'look':
        return this.connection.isOpen();
    }
  }

  /** A key is sent to the address that it was set for, and the sandbox gets none. */
  look(): void {
    const { open } = this.connection;
    if (open?.kind === 'hosted') assert.equal(open.baseAddress, addressOf(open.key.reveal()), 'a key goes elsewhere');
    else if (open !== undefined) assert.equal(open.key, ApiKey.sandbox, 'the sandbox gets a key');
  }

  /** When everything has ended, the connection is the one of the key and the settings. */
  async check(): Promise<void> {
    const stored = await this.#keys.read();
    const { open } = this.connection;
    const expected = this.#settings.sandboxEnabled ? ApiKey.sandbox : stored?.key;
    assert.equal(open?.key.reveal(), expected?.reveal(), 'the connection is an earlier one');
    assert.equal(await this.connection.isOpen(), expected !== undefined);
  }

  dispose(): void {
    this.connection.dispose();
    this.#keys.dispose();
  }

  async #set(number: number): Promise<void> {
    const key = `key_number_${number}`;
    const parsed = parseKey(key);
    assert.ok(parsed.ok);
    await this.#configure({ baseAddress: addressOf(key) });
    await this.#keys.store(parsed.key, addressOf(key));
  }

  async #configure(changes: { readonly baseAddress?: string; readonly sandboxEnabled?: boolean }): Promise<void> {
    await this.#order.delay('write the setting');
    Object.assign(this.#settings, changes);
    this.#changed.fire();
  }
}

function addressOf(key: string): string {
  return `https://${key.replaceAll('_', '-')}.example/v1`;
}

describe('the connection of a window, in any order of what is done and awaited', () => {
  const before = { ...window };

  beforeEach(() => {
    Object.assign(window, { state: { focused: false } });
  });
  afterEach(() => {
    Object.assign(window, before);
  });

  it('sends each key to its own address, and is the one of the last key and settings', async () => {
    const actions = fc.array(fc.constantFrom(...ACTIONS), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const person = new Person(order);
        order.plan(done.map((action, number): Step => ({ what: action, act: () => person.do(action, number) })));
        await order.run(() => person.look());
        order.plan([{ what: 'check', act: () => person.check() }]);
        await order.run();
        assert.deepEqual(order.errors, []);
        person.dispose();
      }),
      { numRuns: schedules(150) },
    );
  });
});
