import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LocalKeyStore } from '../../src/editor/gateway/localKeyStore.ts';
import type { Services } from '../../src/editor/services.ts';
import type { IssuedKey } from '../../src/gateway/keys/issuedKey.ts';
import type { KeyList } from '../../src/gateway/keys/keyList.ts';
import { eventually } from '../support/eventually.ts';
import { inSandbox } from './extension.ts';

const QUESTION = { model: 'familya-haiku-4.5', max_tokens: 50, messages: [{ role: 'user', content: 'echo: hello' }] };

/** SecretStorage of a window, with values that all windows share. */
class Secrets implements vscode.SecretStorage {
  readonly #values: Map<string, string>;
  readonly #changed: vscode.EventEmitter<vscode.SecretStorageChangeEvent>;
  readonly onDidChange: vscode.Event<vscode.SecretStorageChangeEvent>;

  constructor(values: Map<string, string>, changed: vscode.EventEmitter<vscode.SecretStorageChangeEvent>) {
    this.#values = values;
    this.#changed = changed;
    this.onDidChange = changed.event;
  }

  keys(): Thenable<string[]> {
    return Promise.resolve([...this.#values.keys()]);
  }

  get(key: string): Thenable<string | undefined> {
    return Promise.resolve(this.#values.get(key));
  }

  store(key: string, value: string): Thenable<void> {
    this.#values.set(key, value);
    this.#changed.fire({ key });
    return Promise.resolve();
  }

  delete(key: string): Thenable<void> {
    this.#values.delete(key);
    this.#changed.fire({ key });
    return Promise.resolve();
  }
}

describe('local keys in secret storage', () => {
  let services: Services;
  let values: Map<string, string>;
  let changed: vscode.EventEmitter<vscode.SecretStorageChangeEvent>;

  before(async () => {
    services = await inSandbox();
  });
  beforeEach(() => {
    values = new Map();
    changed = new vscode.EventEmitter();
  });
  afterEach(() => changed.dispose());

  const open = () => new LocalKeyStore(new Secrets(values, changed), services.log);
  const next = (store: LocalKeyStore) =>
    new Promise<KeyList>((resolve) => {
      const subscription = store.onDidChange((list) => {
        subscription.dispose();
        resolve(list);
      });
    });

  it('consist of one unlimited key at first, which persists', async () => {
    const [first] = (await open().read()).keys;
    assert.equal(first?.name, 'default');
    assert.deepEqual([first?.budgets, first?.models, first?.expiresAt], [undefined, undefined, undefined]);
    const again = await open().read();
    assert.deepEqual(again.keys, [first]);
  });

  it('are reported to every window once per change', async () => {
    const [here, there] = [open(), open()];
    await here.read();
    await there.read();
    const counts: number[] = [];
    there.onDidChange(({ keys }) => counts.push(keys.length));
    const heard = next(there);
    const { id } = await here.create('aider', { models: ['familya-*'] });
    assert.deepEqual((await heard).find(id)?.models, ['familya-*']);
    const gone = next(there);
    await here.revoke(id);
    await gone;
    assert.deepEqual(counts, [2, 1]);
  });

  it('are adopted from another window if the storage does not share them', async () => {
    const store = open();
    await store.read();
    const elsewhere = new Map(values);
    const other = new LocalKeyStore(new Secrets(elsewhere, new vscode.EventEmitter()), services.log);
    await other.create('aider', { expiresAt: Date.now() + 1e6 });
    const { keys, revoked } = await other.read();
    const heard = next(store);
    await store.adopt({ localKeys: keys, revokedKeys: revoked });
    assert.deepEqual((await heard).keys, keys);
    assert.deepEqual((await store.read()).keys, keys);
  });

  it('are read from the storage if it is newer than what another window reports', async () => {
    const store = open();
    const earlier = (await store.read()).keys;
    const quiet = new LocalKeyStore(new Secrets(values, new vscode.EventEmitter()), services.log);
    await quiet.create('later', {});
    await store.adopt({ localKeys: earlier });
    assert.equal((await store.read()).keys.length, 2);
  });

  it('lose no changes when several are made concurrently', async () => {
    const store = open();
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => store.create(name, {})));
    const { keys } = await store.read();
    assert.deepEqual(
      keys.map(({ name }) => name),
      ['default', 'a', 'b', 'c', 'd'],
    );
  });

  it('reject a duplicate name and remain usable', async () => {
    const store = open();
    await assert.rejects(store.create('default', {}), /A key named "default" already exists/);
    assert.equal((await store.create('other', {})).name, 'other');
  });

  it('can be reset if they cannot be read', async () => {
    values.set('modelAccess.localKeys', '{"version":1,"keys":"none"}');
    const store = open();
    await assert.rejects(store.read(), /Could not read the stored local keys/);
    await store.reset();
    assert.deepEqual((await store.read()).keys, []);
  });
});

describe('local keys at the gateway in the editor', () => {
  let services: Services;
  let made: IssuedKey[] = [];

  before(async () => {
    services = await inSandbox();
  });
  afterEach(async () => {
    await services.gateway.stop();
    for (const { id } of made) await services.localKeys.revoke(id).catch(() => undefined);
    made = [];
  });

  const create = async (...terms: Parameters<LocalKeyStore['create']>) => {
    const key = await services.localKeys.create(...terms);
    made.push(key);
    return key;
  };
  const ask = (address: string, { secret }: IssuedKey, body: object = QUESTION) => {
    const headers = { 'x-api-key': secret, 'content-type': 'application/json' };
    return fetch(`${address}/messages`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  /** Keys reach the gateway's thread in a message, which a request over a socket can overtake. */
  const answers = (status: number, address: string, key: IssuedKey) =>
    eventually(`the key is answered with ${status}`, async () => (await ask(address, key)).status === status);

  it('grant access once they are created and until they are revoked', async () => {
    const { address } = await services.gateway.start(0);
    const key = await create('aider', {});
    await answers(200, address, key);
    await services.localKeys.revoke(key.id);
    await answers(401, address, key);
  });

  it('end their running requests when revoked', async () => {
    const { address } = await services.gateway.start(0);
    const key = await create('aider', {});
    const body = { ...QUESTION, model: 'familya-haiku-4.5+stall', stream: true };
    const answer = await ask(address, key, body);
    const reader = answer.body?.getReader();
    assert.ok(reader);
    await reader.read();
    await services.localKeys.revoke(key.id);
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      rest += Buffer.from(value).toString();
    }
    assert.match(rest, /event: error\ndata: .*no longer grants access to the gateway/);
  });

  it('enforce their budget and models, and keep their spending across a restart', async () => {
    const { address } = await services.gateway.start(0);
    const key = await create('aider', { budgets: [{ amount: 200, unit: 'tokens', period: 'daily' }] });
    await answers(200, address, key);
    const refused = await ask(address, key, { ...QUESTION, max_tokens: 500 });
    assert.equal(refused.status, 402);
    assert.match(await refused.text(), /tokens left of its daily budget of 200 tokens/);
    await services.gateway.stop();
    const [spend] = await services.spending.read([key]);
    const spent = spend?.spent.daily;
    assert.ok(spent && spent.tokens > 0 && spent.tokens < 200 && spent.cost > 0, JSON.stringify(spend));
    const again = await services.gateway.start(0);
    const balance = await fetch(`${again.address}/balance`, { headers: { 'x-api-key': key.secret } });
    assert.equal(((await balance.json()) as { tokens: { used: number } }).tokens.used, spent.tokens);
    await services.localKeys.change(key.id, 'aider', { models: ['familyc-*'] });
    await answers(403, again.address, key);
  });
});
