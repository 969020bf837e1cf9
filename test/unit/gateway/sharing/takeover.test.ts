import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import type { SharedFiles } from '../../../../src/gateway/sharing/protocol.ts';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import { eventually } from '../../../support/eventually.ts';
import { ledgerPath, removeFolders } from '../../ledger/files.ts';
import { buildWorker } from '../support/builtWorker.ts';
import { AUTHORIZED, get, open, read, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY } from '../support/gateway.ts';
import { startService } from '../support/scriptedService.ts';
import { closeWindows, type EditorWindow, sharedFiles } from './editorWindow.ts';
import { LocalWindow } from './localWindow.ts';
import { ProcessWindow } from './processWindow.ts';

const QUESTION = '{"model":"familya-haiku-4.5","max_tokens":50,"messages":[{"role":"user","content":"Hello"}]}';
const STALLED = QUESTION.replace('haiku-4.5"', 'haiku-4.5+stall","stream":true');
/** An answer is passed on from its first output on. */
const OUTPUT = 'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}\n\n';

describe('the windows of one user', () => {
  let files: SharedFiles;

  before(buildWorker);
  beforeEach(() => {
    files = sharedFiles();
  });
  afterEach(async () => {
    await closeWindows();
    await closeAll();
    removeFolders();
  });

  const localWindow = () => new LocalWindow(files);
  const processWindow = () => new ProcessWindow(files);
  /** Starts the gateway in one window. The others join it. */
  const opened = async <Owner extends EditorWindow, Followers extends readonly EditorWindow[]>(
    owner: Owner,
    ...followers: Followers
  ) => {
    const { port } = await owner.listen();
    for (const follower of followers) {
      assert.deepEqual(await follower.listen({ port }), { ...listening(port), owner: 'other' });
    }
    return { owner, followers, port };
  };
  const listening = (port: number) => ({ type: 'listening', port, address: `http://127.0.0.1:${port}/api/v1` });
  const idsIn = (ledger: string) => {
    const reader = new LedgerReader(ledger);
    const { rows } = reader.exchanges({ filter: {}, limit: 10 });
    reader.close();
    return rows.map(({ id }) => id);
  };
  const recorded = (ledger: string, column = 'repository') => {
    const database = new DatabaseSync(ledger, { readOnly: true });
    const rows = database.prepare(`SELECT ${column} FROM exchanges ORDER BY number`).all();
    database.close();
    return rows.map((row) => row[column]);
  };
  const answers = async (port: number) => {
    const { status, body } = await send({ port, path: '/api/v1/messages', body: QUESTION });
    assert.equal(status, 200, body.toString());
  };

  it('have one gateway with the keys of all, wherever it was started, even if each would use any free port', async () => {
    const { owner, port } = await opened(localWindow(), localWindow());
    const third = localWindow();
    const localKeys = [{ id: 'b', name: 'b', secret: 'key_b', createdAt: 0 }];
    assert.deepEqual(await third.listen({ port: 0, localKeys }), { ...listening(port), owner: 'other' });
    const ids = async (window: EditorWindow) => (await window.take('localKeys')).localKeys.map(({ id }) => id);
    assert.deepEqual(await ids(third), ['b', 'tests']);
    assert.deepEqual(await ids(owner), ['b', 'tests']);
    await answers(port);
    assert.equal(owner.untaken('failed').length, 0);
  });

  it('agree on one owner if all start at the same time', async () => {
    const { owner: first, port } = await opened(localWindow());
    await first.close();
    const windows = Array.from({ length: 3 }, processWindow);
    const roles = await Promise.all(windows.map((window) => window.listen({ port })));
    assert.equal(roles.filter(({ owner }) => owner === 'self').length, 1);
    assert.ok(roles.every((role) => role.port === port));
    await answers(port);
  });

  it('keep port and keys if the owner is killed, and its streams end', async () => {
    const { owner, followers, port } = await opened(processWindow(), localWindow());
    const stream = open({ port, path: '/api/v1/messages' }).end(STALLED);
    const [response] = (await once(stream, 'response')) as [IncomingMessage];
    const answer = read(response);
    const killedAt = performance.now();
    await owner.kill();
    assert.equal((await followers[0].take('listening')).owner, 'self');
    report('killed', killedAt);
    assert.equal((await answer).complete, false);
    await answers(port);
  });

  it('have one successor if the owner of several is killed, repeatedly', async () => {
    const { owner, followers, port } = await opened(processWindow(), processWindow(), processWindow());
    let alive: readonly ProcessWindow[] = [owner, ...followers];
    let present = owner;
    while (alive.length > 1) {
      const killedAt = performance.now();
      await present.kill();
      alive = alive.filter((window) => window !== present);
      const roles = await Promise.all(alive.map((window) => window.take('listening')));
      report(`killed, ${alive.length} left`, killedAt);
      const successors = alive.filter((_, index) => roles[index]?.owner === 'self');
      assert.equal(successors.length, 1);
      present = successors[0] as ProcessWindow;
      await answers(port);
    }
  });

  it('continue if the owner’s window is closed: its streams finish there, new requests go to the successor', async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    const service = await startService((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(OUTPUT);
      begun.resolve(response);
    });
    closeLater(() => service.close());
    const upstream = { kind: 'hosted', baseAddress: service.baseAddress, serviceKey: SERVICE_KEY } as const;
    const owner = localWindow();
    const { port } = await owner.listen({ upstream });
    const follower = localWindow();
    await follower.listen({ port, upstream });
    const stream = open({ port, path: '/v1/messages' }).end('{}');
    const [response] = (await once(stream, 'response')) as [IncomingMessage];
    const answer = read(response);
    const serviceResponse = await begun.promise;
    const closed = owner.close();
    assert.equal((await follower.take('listening')).owner, 'self');
    service.script = (other) => other.end('{"content":[],"second":true}');
    assert.match((await send({ port, path: '/v1/messages' })).body.toString(), /second/);
    serviceResponse.end('data: 2\n\n');
    assert.equal((await answer).body.toString(), `${OUTPUT}data: 2\n\n`);
    await closed;
  });

  it('receive the exchanges that another window serves', async () => {
    const { followers, port } = await opened(localWindow(), localWindow(), localWindow());
    await answers(port);
    for (const follower of followers) {
      const { record } = await follower.take('exchange');
      assert.deepEqual([record.localKeyId, record.upstream], ['tests', 'sandbox']);
    }
  });

  it('record the repository that Codex names, until one of them turns that off', async () => {
    const ledger = ledgerPath();
    const [owner, follower] = [localWindow(), localWindow()];
    const { port } = await owner.listen({ ledger, recordRepositories: true });
    await follower.listen({ port, ledger, recordRepositories: true });
    const workspace = { associated_remote_urls: { origin: 'https://git.example.com/orchard/shop.git' } };
    const headers = {
      ...AUTHORIZED,
      'session-id': 's',
      'x-codex-turn-metadata': JSON.stringify({ turn_id: 't', workspaces: { '/home/user/shop': workspace } }),
    };
    const ask = async () => {
      const { status } = await send({ port, path: '/api/v1/messages', body: QUESTION, headers });
      assert.equal(status, 200);
      await owner.take('exchange');
    };
    await ask();
    follower.post({ type: 'change', settings: { recordRepositories: false } });
    await eventually('a request without a repository', async () => {
      await ask();
      return recorded(ledger).includes(null);
    });
    assert.equal(recorded(ledger)[0], 'orchard/shop');
  });

  it('report their branches to the gateway in any window, for requests that name them', async () => {
    const ledger = ledgerPath();
    const [owner, follower] = [localWindow(), localWindow()];
    const { port } = await owner.listen({ ledger, recordRepositories: true });
    await follower.listen({ port, ledger, recordRepositories: true });
    const branchOf = (window: EditorWindow, mark: string, branch: string) =>
      window.post({ type: 'reportBranch', mark, branch: { repository: 'orchard/shop', branch } });
    const recordedOn = async (mark: string, branch: string) =>
      eventually(`a request of ${mark} on ${branch}`, async () => {
        const path = `/window/${mark}/api/v1/messages`;
        const { status } = await send({ port, path, body: QUESTION });
        assert.equal(status, 200);
        return recorded(ledger, 'branch').at(-1) === branch;
      });
    branchOf(owner, 'first', 'main');
    branchOf(follower, 'second', 'feature/totals');
    await recordedOn('first', 'main');
    await recordedOn('second', 'feature/totals');
    branchOf(follower, 'second', 'main');
    await recordedOn('second', 'main');
    await owner.close();
    assert.equal((await follower.take('listening')).owner, 'self');
    await recordedOn('second', 'main');
    branchOf(follower, 'second', 'fix/prices');
    await recordedOn('second', 'fix/prices');
  });

  it('are notified when exchanges of another window can be read from the ledger', async () => {
    const ledger = ledgerPath();
    const [owner, follower] = [localWindow(), localWindow()];
    const { port } = await owner.listen({ ledger });
    await follower.listen({ port, ledger });
    await answers(port);
    const { record } = await follower.take('exchange');
    for (const window of [owner, follower]) assert.deepEqual((await window.take('entered')).ids, [record.id]);
    assert.deepEqual(idsIn(ledger), [record.id]);
  });

  it('can read a call of another window as soon as it is reported as ended', async () => {
    const ledger = ledgerPath();
    const [owner, follower] = [processWindow(), localWindow()];
    const { port } = await owner.listen({ ledger });
    await follower.listen({ port, ledger });
    const call = { id: 'call_1', at: 1, source: 'chatPanel', durationMs: 1 } as const;
    follower.post({ type: 'watchTraffic', isOn: true });
    owner.post({ type: 'reportCalls', calls: [call] });
    while ((await follower.take('running')).calls.length === 0);
    owner.post({ type: 'recordCall', ledger, entry: { ...call, end: 'completed' } });
    owner.post({ type: 'reportCalls', calls: [] });
    while ((await follower.take('running')).calls.length > 0);
    assert.deepEqual(idsIn(ledger), ['call_1']);
  });

  it('get an answer to a traffic query if the owner is killed before it answers', async function () {
    if (process.platform === 'win32') this.skip();
    const { owner, followers } = await opened(processWindow(), localWindow(), localWindow());
    owner.freeze();
    for (const follower of followers) {
      follower.post({ type: 'askTraffic', requestId: 7, question: { kind: 'details', id: 'none' } });
    }
    const answers = followers.map((follower) => follower.take('trafficAnswer'));
    await owner.kill();
    for (const { requestId } of await Promise.all(answers)) assert.equal(requestId, 7);
  });

  it('have no gateway after a follower stops it', async () => {
    const { owner, followers, port } = await opened(localWindow(), localWindow(), localWindow());
    const [asking, ...others] = followers;
    asking.post({ type: 'close' });
    for (const window of [asking, owner, ...others]) assert.deepEqual(await window.take('closed'), { type: 'closed' });
    await assert.rejects(get({ port, path: '/health' }), { code: 'ECONNREFUSED' });
    assert.equal((await asking.listen({ port })).owner, 'self');
  });

  it('have no gateway after the owner stops it', async () => {
    const { owner, followers, port } = await opened(localWindow(), localWindow());
    owner.post({ type: 'close' });
    for (const window of [owner, ...followers]) await window.take('closed');
    await assert.rejects(get({ port, path: '/health' }), { code: 'ECONNREFUSED' });
  });

  it('free the port when all are closed', async () => {
    const { owner, followers, port } = await opened(localWindow(), localWindow());
    await owner.close();
    await followers[0].take('listening');
    await followers[0].close();
    await assert.rejects(get({ port, path: '/health' }), { code: 'ECONNREFUSED' });
  });

  it('join a running gateway, and start none if none is running', async () => {
    const window = processWindow();
    window.start({ onlyJoin: true });
    await window.take('closed');
    const { owner, port } = await opened(localWindow());
    assert.equal((await window.listen({ onlyJoin: true })).port, port);
    await owner.close();
    assert.equal((await window.take('listening')).owner, 'self');
    await window.kill();
    // The file still exists, but what it says is no longer true.
    const late = localWindow();
    late.start({ onlyJoin: true });
    await late.take('closed');
  });

  describe('when settings change in a follower', () => {
    const KEYS = [{ id: 'b', name: 'b', secret: 'key_b', createdAt: 0 }];
    const asks = (port: number, headers: Record<string, string>) =>
      send({ port, path: '/v1/messages', headers: { 'content-type': 'application/json', ...headers } });

    it('accept a new key immediately and reject the earlier one, also after the next takeover', async () => {
      const { owner, followers, port } = await opened(localWindow(), localWindow(), localWindow());
      const [asking, other] = followers;
      asking.post({ type: 'change', settings: { localKeys: KEYS, revokedKeys: { ids: ['tests'] } } });
      for (const window of [owner, other]) assert.deepEqual((await window.take('localKeys')).localKeys, KEYS);
      assert.equal((await get({ port, path: '/v1/models', headers: { 'x-api-key': 'key_b' } })).status, 200);
      assert.equal((await get({ port, path: '/v1/models' })).status, 401);
      assert.equal(asking.untaken('localKeys').length, 0);
      await owner.close();
      await Promise.all([asking.take('listening'), other.take('listening')]);
      assert.equal((await get({ port, path: '/v1/models', headers: { 'x-api-key': 'key_b' } })).status, 200);
      assert.equal((await get({ port, path: '/v1/models' })).status, 401);
    });

    it('use the new upstream, with the new service key', async () => {
      const service = await startService();
      closeLater(() => service.close());
      const { followers, port } = await opened(localWindow(), localWindow());
      const upstream = { kind: 'hosted', baseAddress: service.baseAddress, serviceKey: SERVICE_KEY } as const;
      followers[0].post({ type: 'change', settings: { upstream } });
      while (service.requests.length === 0) await send({ port, path: '/v1/messages', body: QUESTION });
      assert.equal(service.requests[0]?.headers.authorization, `Bearer ${SERVICE_KEY}`);
    });

    it('allow pages of a newly allowed origin', async () => {
      const { owner, followers, port } = await opened(localWindow(), localWindow());
      const headers = { origin: 'http://localhost:3000', 'x-api-key': 'key_b' };
      assert.equal((await asks(port, headers)).status, 403);
      followers[0].post({ type: 'change', settings: { allowedOrigins: ['http://localhost:3000'] } });
      // Changes are executed in order: when the keys have arrived, the origins have too.
      followers[0].post({ type: 'change', settings: { localKeys: KEYS } });
      await owner.take('localKeys');
      assert.notEqual((await asks(port, headers)).status, 403);
    });
  });
});

/** Prints the time, without a limit, because machines differ. */
function report(what: string, since: number): void {
  if (process.env.SHOW_TIMES === '1') console.log(`      ${what}: ${Math.round(performance.now() - since)} ms`);
}
