import assert from 'node:assert/strict';
import { WindowBranches } from '../../../../src/gateway/core/windowBranches.ts';
import { WINDOW_HEADER } from '../../../../src/rules/windowMark.ts';
import { AUTHORIZED, get, send } from '../support/client.ts';
import { closeAll, closeLater, startPair } from '../support/gateway.ts';
import { SocketClient } from '../support/socketClient.ts';

const SHOP = { repository: 'orchard/shop', branch: 'feature/totals' };
const MARKED = { ...AUTHORIZED, [WINDOW_HEADER]: 'mark' };
const QUESTION = { model: 'a', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] };
/** Longer bodies are passed on while they arrive. */
const LONG = { ...QUESTION, messages: [{ role: 'user', content: 'x'.repeat(300_000) }] };

const codex = (repository: string) => ({
  'user-agent': 'codex_exec/0.171.0 (Linux; x86_64)',
  'session-id': 's',
  'x-codex-turn-metadata': JSON.stringify({
    workspaces: { '/home/user': { associated_remote_urls: { origin: `https://git.example.com/${repository}.git` } } },
  }),
});

describe('the branch of the window in whose terminal a client runs', () => {
  let branches: WindowBranches;

  beforeEach(() => {
    branches = new WindowBranches();
    branches.set({}, { mark: 'other', branch: { repository: 'other' } });
    branches.set({}, { mark: 'mark', branch: SHOP });
  });
  afterEach(closeAll);

  async function start() {
    const pair = await startPair(undefined, { findBranch: branches.find });
    pair.gateway.setRecordingRepositories(true);
    const ask = async (path: string, headers: object = AUTHORIZED, body: object = QUESTION) => {
      const recorded = pair.nextRecord();
      const answer = await send({ port: pair.port, path, headers: { ...headers }, body: JSON.stringify(body) });
      const { repository, branch } = await recorded;
      return { status: answer.status, repository, branch };
    };
    return { ...pair, ask };
  }

  const found = { status: 200, ...SHOP };
  const none = { status: 200, repository: undefined, branch: undefined };

  it('is that of the mark in the address or in the header, for each endpoint and for long bodies', async () => {
    const { ask, service } = await start();
    assert.deepEqual(await ask('/window/mark/api/v1/messages'), found);
    assert.deepEqual(await ask('/window/mark/api/v1/chat/completions'), found);
    assert.deepEqual(await ask('/window/mark/api/v1/messages', AUTHORIZED, LONG), found);
    assert.deepEqual(await ask('/api/v1/messages', MARKED), found);
    assert.deepEqual(await ask('/api/v1/messages', MARKED, LONG), found);
    for (const { headers, path } of service.requests) {
      assert.ok(!(WINDOW_HEADER in headers), 'no upstream is told the mark');
      assert.doesNotMatch(path, /mark/);
    }
  });

  it('is looked up when a request begins', async () => {
    const { ask } = await start();
    const window = {};
    branches.set(window, { mark: 'third', branch: SHOP });
    assert.deepEqual(await ask('/window/third/api/v1/messages'), found);
    branches.set(window, { mark: 'third', branch: { ...SHOP, branch: 'main' } });
    assert.deepEqual(await ask('/window/third/api/v1/messages'), { ...found, branch: 'main' });
    branches.set(window, { mark: 'third' });
    assert.deepEqual(await ask('/window/third/api/v1/messages'), none);
    branches.forget(window);
    assert.deepEqual(await ask('/window/third/api/v1/messages'), none);
  });

  it('is that of the connection for each answer over a WebSocket', async () => {
    const { port, nextRecord } = await start();
    for (const [path, headers] of [
      ['/window/mark/api/v1/responses', {}],
      ['/api/v1/responses', { [WINDOW_HEADER]: 'mark' }],
    ] as const) {
      const client = await SocketClient.open(port, { headers }, path);
      closeLater(async () => client.socket.terminate());
      const recorded = nextRecord();
      client.create({ input: 'Hello' });
      const { repository, branch } = await recorded;
      assert.deepEqual({ repository, branch }, SHOP, path);
    }
  });

  it('is unknown for an unknown mark, and if branches are not recorded; the request is served', async () => {
    const { ask, gateway } = await start();
    for (const path of ['/window/unknown/api/v1/messages', '/api/v1/messages']) assert.deepEqual(await ask(path), none);
    gateway.setRecordingRepositories(false);
    assert.deepEqual(await ask('/window/mark/api/v1/messages'), none);
  });

  it('is that of the client’s repository only if that is the window’s', async () => {
    const { ask } = await start();
    const asCodex = (repository: string) => ask('/api/v1/messages', { ...MARKED, ...codex(repository) });
    assert.deepEqual(await asCodex('orchard/shop'), found);
    assert.deepEqual(await asCodex('orchard/tools'), { ...none, repository: 'orchard/tools' });
  });

  it('grants no access', async () => {
    const { port } = await start();
    assert.equal((await get({ port, path: '/window/mark/api/v1/models', headers: {} })).status, 401);
    const foreign = { ...AUTHORIZED, origin: 'https://page.example' };
    assert.equal((await send({ port, path: '/window/mark/api/v1/messages', headers: foreign })).status, 403);
    const client = await SocketClient.refused(
      port,
      { headers: { origin: 'https://page.example' } },
      '/window/mark/api/v1/responses',
    );
    assert.equal(client.status, 403);
  });
});
