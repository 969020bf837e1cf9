import assert from 'node:assert/strict';
import { ConnectionManager } from '../../../../src/editor/connection/connectionManager.ts';
import { ApiKey } from '../../../../src/service/apiKey.ts';
import { EventEmitter } from '../../../support/editorApi/vscode.ts';

function keyWith(text: string): ApiKey {
  const parsed = ApiKey.parse(text);
  return parsed.ok ? parsed.key : assert.fail(parsed.problem);
}

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
});
