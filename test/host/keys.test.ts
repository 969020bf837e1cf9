import assert from 'node:assert/strict';
import type { Services } from '../../src/editor/services.ts';
import type { ApiKey } from '../../src/service/apiKey.ts';
import { parseKey } from '../../src/service/pastedKey.ts';
import { activated } from './extension.ts';

function keyOf(text: string): ApiKey {
  const parsed = parseKey(text);
  assert.ok(parsed.ok);
  return parsed.key;
}

const ADDRESS = 'http://127.0.0.1:9/api/v1';

describe('the service key', () => {
  let services: Services;
  const key = keyOf('key_host_test_0123456789abcdef');

  before(async () => {
    services = await activated();
  });
  afterEach(() => services.keys.remove());

  it('stays in the secret storage until it is removed', async () => {
    assert.equal(await services.keys.store(key, ADDRESS), true);
    const stored = await services.keys.read();
    assert.equal(stored?.source, 'secretStorage');
    assert.equal(stored?.key.reveal(), key.reveal());
    await services.keys.remove();
    assert.equal(await services.keys.read(), undefined);
  });

  it('is read from the environment if none is stored', async () => {
    process.env.MODEL_ACCESS_KEY = key.reveal();
    try {
      const fromEnvironment = await services.keys.read();
      assert.equal(fromEnvironment?.source, 'environment');
      assert.equal(fromEnvironment?.key.reveal(), key.reveal());
    } finally {
      delete process.env.MODEL_ACCESS_KEY;
    }
  });

  it('notifies every window when it changes', async () => {
    const changed = new Promise<void>((resolve) => {
      const subscription = services.keys.onDidChange(() => {
        subscription.dispose();
        resolve();
      });
    });
    await services.keys.store(key, ADDRESS);
    await changed;
  });

  it('connects to the base address as soon as both are set', async () => {
    await services.settings.set('sandbox.enabled', false);
    await services.settings.set('baseAddress', ADDRESS);
    await services.keys.store(key, ADDRESS);
    await services.connection.refresh();
    const { current } = services.connection;
    assert.equal(current.kind, 'hosted');
    assert.equal(current.kind === 'hosted' && current.baseAddress, ADDRESS);
    await services.settings.set('baseAddress', '');
    await services.connection.refresh();
    assert.equal(services.connection.current.kind, 'none');
  });
});
