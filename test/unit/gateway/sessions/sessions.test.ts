import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { createSessionKey, SessionReader } from '../../../../src/gateway/sessions/sessionReader.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';

interface Asked {
  readonly headers?: Record<string, string>;
  readonly body?: object;
  readonly messages?: readonly object[];
}

const EMPTY = Buffer.alloc(0);

describe('a session reader', () => {
  const reader = new SessionReader(createSessionKey());
  const idsOf = (headers: IncomingHttpHeaders, localKeyId = 'one') =>
    reader.read({ headers, localKeyId, body: EMPTY }).ids;

  it('assigns the same id to requests of one session, and hides what the client sent', () => {
    const headers = { 'x-claude-code-session-id': 'canary-session' };
    const first = idsOf(headers);
    assert.match(first?.sessionId ?? '', /^[\da-f]{16}$/);
    assert.deepEqual(idsOf({ ...headers }), first);
  });

  it('separates the sessions of local keys', () => {
    const headers = { 'x-session-id': 's' };
    assert.notEqual(idsOf(headers, 'one')?.sessionId, idsOf(headers, 'two')?.sessionId);
  });

  it('assigns a nested subagent to the session of the first agent', () => {
    const root = idsOf({ 'x-session-id': 'root' });
    const child = idsOf({ 'x-session-id': 'child', 'x-parent-session-id': 'root' });
    const grandchild = idsOf({ 'x-session-id': 'grandchild', 'x-parent-session-id': 'child' });
    assert.equal(child?.sessionId, root?.sessionId);
    assert.equal(grandchild?.sessionId, root?.sessionId);
    assert.notEqual(grandchild?.agentId, child?.agentId);
  });
});

describe('sessions in the ledger', () => {
  let ledger: string;
  beforeEach(() => {
    ledger = emptyLedger();
  });
  afterEach(async () => {
    await closeAll();
    removeFolders();
  });

  /** Runs a gateway once, with these requests one after another. */
  async function run(requests: readonly Asked[]): Promise<void> {
    const books = new Bookkeeper({ ledger });
    const running = await startPair(
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
      },
      { books },
    );
    for (const { headers, messages = [], body } of requests) {
      const ended = running.nextRecord();
      await send({
        port: running.port,
        path: '/v1/messages',
        headers: { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model: 'familya-haiku-4.5', ...body, messages }),
      });
      await ended;
    }
    await closeAll();
    await books.close();
  }

  const rows = () => {
    const database = new DatabaseSync(ledger, { readOnly: true });
    const all = database.prepare('SELECT session_id, agent_id, turn_id FROM exchanges ORDER BY number').all();
    database.close();
    return all;
  };

  it('keep their ids after the gateway restarts, as hashes', async () => {
    const headers = { 'x-claude-code-session-id': 'canary-session', 'x-claude-code-agent-id': 'canary-agent' };
    const turn = { 'x-claude-code-prompt-id': 'canary-turn' };
    await run([{ headers }, { headers: { ...headers, ...turn } }, {}]);
    await run([{ headers: { ...headers, ...turn } }]);
    const [first, second, unnamed, later] = rows();
    assert.deepEqual(later, second);
    assert.deepEqual([first?.session_id, first?.turn_id], [second?.session_id, null]);
    assert.ok(unnamed?.session_id, 'a request that names no session begins one');
    assert.notEqual(unnamed.session_id, first?.session_id);
    assert.ok(!readFileSync(ledger, 'latin1').includes('canary'), 'nothing that the client sent is in the file');
  });

  it('are found in long bodies that are streamed through, if they are named at the beginning', async () => {
    const messages = [{ role: 'user', content: 'x'.repeat(300_000) }];
    await run([{ body: { prompt_cache_key: 's' } }, { body: { prompt_cache_key: 's' }, messages }]);
    const [short, long] = rows();
    assert.ok(short?.session_id);
    assert.equal(long?.session_id, short?.session_id);
  });
});
