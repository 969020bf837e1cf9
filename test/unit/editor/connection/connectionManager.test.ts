import assert from 'node:assert/strict';
import { ConnectionManager } from '../../../../src/editor/connection/connectionManager.ts';
import { ServiceKeys } from '../../../../src/editor/connection/serviceKeys.ts';
import type { ApiKey } from '../../../../src/service/apiKey.ts';
import { parseKey } from '../../../../src/service/pastedKey.ts';
import { EventEmitter, window } from '../../../support/editorApi/vscode.ts';
import { eventually } from '../../../support/eventually.ts';
import { memorySecrets } from '../../../support/memorySecrets.ts';

function keyWith(text: string): ApiKey {
  const parsed = parseKey(text);
  return parsed.ok ? parsed.key : assert.fail(parsed.problem);
}

const NO_SEALING = { wrap: (fetch: unknown) => fetch, dispose: () => undefined };

describe('the connection of a window', () => {
  it('never has the key from before and the address from after a change', async () => {
    let stored = keyWith('key_earlier');
    const changed = new EventEmitter<void>();
    const settings = {
      baseAddress: 'https://earlier.example/v1',
      sandboxEnabled: false,
      sandboxDelay: 0,
      onDidChange: () => changed.event(() => connection.refresh()),
    };
    const parts = {
      keys: { onDidChange: changed.event, read: async () => ({ key: stored, source: 'secretStorage' }) },
      settings,
      worker: { setSandboxDelay: () => undefined },
      log: { info: () => undefined, error: (_: string, error: unknown) => assert.fail(String(error)) },
      sealing: NO_SEALING,
      globalState: { get: () => undefined, update: async () => undefined },
    };
    const connection: ConnectionManager = new ConnectionManager(parts as never);
    const seen: string[] = [];
    connection.onDidChange(() => {
      const { open } = connection;
      seen.push(`${open?.key.reveal()} at ${open?.baseAddress}`);
    });
    await connection.refresh();
    await connection.change(async () => {
      settings.baseAddress = 'https://later.example/v1';
      changed.fire();
      await new Promise((resolve) => setImmediate(resolve));
      stored = keyWith('key_later');
      changed.fire();
    });
    assert.deepEqual(seen, ['key_earlier at https://earlier.example/v1', 'key_later at https://later.example/v1']);
    connection.dispose();
  });

  describe('while another window changes key and address', () => {
    const [earlier, later] = ['https://earlier.example/v1', 'https://later.example/v1'];
    const opened = async (asked: string[]) => {
      const secrets = memorySecrets();
      const keys = new ServiceKeys(secrets as never, {});
      const changed = new EventEmitter<void>();
      const settings = { baseAddress: earlier, sandboxEnabled: false, sandboxDelay: 0, onDidChange: changed.event };
      Object.assign(window, {
        state: { focused: true },
        showWarningMessage: async (message: string) => void asked.push(message),
      });
      const connection = new ConnectionManager({
        keys,
        settings,
        worker: { setSandboxDelay: () => undefined },
        sealing: NO_SEALING,
        log: { info: () => undefined, error: (_: string, error: unknown) => assert.fail(String(error)) },
        globalState: { get: () => undefined, update: async () => undefined },
      } as never);
      await keys.store(keyWith('key_earlier'), earlier);
      await connection.refresh();
      const current = () => `${connection.open?.key.reveal()} at ${connection.open?.baseAddress}`;
      return { keys, settings, connection, current };
    };
    const before = { ...window };
    afterEach(() => Object.assign(window, before));

    it('sends each key to its own address, whichever arrives first', async () => {
      for (const first of ['address', 'key']) {
        const { keys, settings, connection, current } = await opened([]);
        const change = async (what: string) => {
          if (what === 'address') settings.baseAddress = later;
          else await keys.store(keyWith('key_later'), later);
          await connection.refresh();
        };
        await change(first);
        assert.equal(current(), first === 'address' ? `key_earlier at ${earlier}` : `key_later at ${later}`);
        await change(first === 'address' ? 'key' : 'address');
        assert.equal(current(), `key_later at ${later}`);
        connection.dispose();
      }
    });

    it('says once that a key stays at its address if only the address was changed', async () => {
      const asked: string[] = [];
      const { settings, connection, current } = await opened(asked);
      settings.baseAddress = later;
      await connection.refresh();
      await connection.refresh();
      await eventually('the warning', async () => asked.length > 0);
      assert.equal(current(), `key_earlier at ${earlier}`);
      assert.deepEqual(asked, [
        `The service key was set for ${earlier} and is only sent there. Set a key for ${later}.`,
      ]);
      connection.dispose();
    });
  });
});
