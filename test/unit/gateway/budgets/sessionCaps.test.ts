import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type CappedSession, SessionCaps } from '../../../../src/gateway/budgets/sessionCaps.ts';
import type { CapNotice, SessionNotice } from '../../../../src/gateway/core/sessionNotice.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { ledgerPath, removeFolders } from '../ledger/files.ts';
import { json, LOCAL_KEY, open, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { askedOf, issued, type Limited, pathOf, question, startLimited } from './limited.ts';

const SAID = { parts: [{ text: 'A pound of flesh.' }] };
const AUTHORIZED = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };
/** One answer costs more than this. */
const CAP = 0.000_001;
const KEY = issued({ limits: { sessionDollars: CAP } });

interface Asked {
  readonly session?: string;
  readonly headers?: Record<string, string>;
  readonly text?: string;
}

describe('a session cap of a local key', () => {
  let ledger: string;
  let warnings: string[];
  let running: Limited;
  let books: Bookkeeper | undefined;
  let settled: (() => void) | undefined;
  /** If set, there is a user who can decide. */
  let onSessionNotice: ((notice: SessionNotice) => void) | undefined;

  beforeEach(() => {
    ledger = ledgerPath();
    warnings = [];
    onSessionNotice = undefined;
  });
  afterEach(async () => {
    await stop();
    removeFolders();
  });

  async function start(key = KEY, script: Parameters<typeof startLimited>[1] = () => SAID): Promise<void> {
    const onRecord = () => settled?.();
    books = new Bookkeeper({
      ledger,
      onRecord,
      onProblem: (message) => warnings.push(message),
      ...(onSessionNotice && { onSessionNotice }),
    });
    running = await startLimited(key, script, { books });
  }

  async function stop(): Promise<void> {
    await closeAll();
    await books?.close();
    books = undefined;
  }

  const requestOf = ({ session, headers, text }: Asked) => ({
    port: running.port,
    path: pathOf('messages'),
    headers: { ...AUTHORIZED, ...(session !== undefined && { 'x-claude-code-session-id': session }), ...headers },
    body: question('messages', text === undefined ? {} : { text }),
  });

  /** Resolves when the cost of the request is recorded. */
  async function ask(asked: Asked): Promise<{ status: number; headers: object; message: string }> {
    const entered = new Promise<void>((resolve) => {
      settled = resolve;
    });
    const answer = await send(requestOf(asked));
    await entered;
    const { error } = json(answer) as { error?: { message: string } };
    return { status: answer.status, headers: answer.headers, message: error?.message ?? '' };
  }

  it('ends the session that has reached it, says why, and sends nothing more', async () => {
    await start();
    assert.equal((await ask({ session: 'one' })).status, 200);
    const { status, headers, message } = await ask({ session: 'one' });
    assert.equal(status, 402);
    assert.match(
      message,
      /This session has used .* of its cap of .* for the local key "aider"\. Nothing was sent or charged/,
    );
    assert.match(message, /Retrying does not help/);
    assert.equal((headers as Record<string, string>)['x-should-retry'], 'false');
    assert.equal(askedOf(running).length, 1);
  });

  it('counts all that was set aside for an answer whose usage nobody tells', async () => {
    await start(issued({ limits: { sessionDollars: 0.001_5 } }), () => ({ ...SAID, afterEvents: 4, ending: 'end' }));
    const askForStream = async () => {
      const entered = new Promise<void>((resolve) => {
        settled = resolve;
      });
      const asked = requestOf({ session: 'one' });
      const answer = await send({ ...asked, body: JSON.stringify({ ...JSON.parse(asked.body), stream: true }) });
      await entered;
      return answer.status;
    };
    // 100 tokens of output, at $10 per 1M tokens.
    const all = [await askForStream(), await askForStream(), await askForStream()];
    assert.deepEqual(all, [200, 200, 402]);
  });

  it('refuses what has a price that is not listed', async () => {
    await start();
    for (const more of [{ service_tier: 'priority' }, { tools: [{ type: 'advisor', name: 'a', model: 'dear' }] }]) {
      const asked = requestOf({ session: 'one' });
      const body = JSON.stringify({ ...JSON.parse(asked.body), ...more });
      assert.equal((await send({ ...asked, body })).status, 400, JSON.stringify(more));
    }
    assert.equal(askedOf(running).length, 0);
  });

  describe('where a person can be asked', () => {
    let notices: SessionNotice[];
    let waits: Promise<CapNotice>;

    beforeEach(() => {
      notices = [];
      waits = new Promise((resolve) => {
        onSessionNotice = (notice) => {
          notices.push(notice);
          if (notice.kind === 'waits') resolve(notice);
        };
      });
    });

    it('lets the request wait, and sends it once the cap was raised', async () => {
      await start();
      await ask({ session: 'one' });
      const second = ask({ session: 'one' });
      const { sessionId, keyName, cap, step, spent } = await waits;
      assert.deepEqual([keyName, cap, step], ['aider', CAP, CAP]);
      assert.ok(spent >= CAP);
      assert.equal(askedOf(running).length, 1);
      books?.decideOnSession(sessionId, { cap: 1 });
      assert.equal((await second).status, 200);
      assert.equal((await ask({ session: 'one' })).status, 200);
      assert.equal(notices.filter(({ kind }) => kind === 'waits').length, 1);
    });

    it('asks once for all requests of the session, and refuses them when the person ends it', async () => {
      await start();
      await ask({ session: 'one' });
      const waiting = [send(requestOf({ session: 'one' })), send(requestOf({ session: 'one' }))];
      const { sessionId } = await waits;
      books?.decideOnSession(sessionId, 'end');
      for (const answer of await Promise.all(waiting)) {
        assert.equal(answer.status, 402);
        assert.match(answer.body.toString(), /This session was ended in the editor .* Nothing was sent or charged/);
      }
      assert.equal((await ask({ session: 'one' })).status, 402);
      assert.equal(notices.filter(({ kind }) => kind === 'waits').length, 1);
      assert.equal(askedOf(running).length, 1);
    });

    it('sends nothing for a client that left while it waited', async () => {
      await start();
      await ask({ session: 'one' });
      const request = requestOf({ session: 'one' });
      const client = open(request).on('error', () => undefined);
      client.end(request.body);
      const { sessionId } = await waits;
      const left = new Promise<void>((resolve) => {
        settled = resolve;
      });
      client.destroy();
      await left;
      books?.decideOnSession(sessionId, { cap: 1 });
      assert.equal((await ask({ session: 'one' })).status, 200);
      assert.equal(askedOf(running).length, 2);
    });
  });

  it('leaves other sessions alone', async () => {
    await start();
    await ask({ session: 'one' });
    assert.equal((await ask({ session: 'two' })).status, 200);
  });

  it('counts subagents in their session', async () => {
    await start();
    await ask({ session: 'one', headers: { 'x-claude-code-agent-id': 'agent' } });
    assert.equal((await ask({ session: 'one' })).status, 402);
  });

  it('is told to Codex as an invalid request, after which it does not ask again', async () => {
    await start();
    const headers = { 'user-agent': 'codex_exec/0.169.0', 'session-id': 'one' };
    await ask({ headers });
    assert.equal((await ask({ headers })).status, 400);
  });

  it('holds when the gateway starts again', async () => {
    await start();
    await ask({ session: 'one' });
    await stop();
    await start();
    assert.equal((await ask({ session: 'one' })).status, 402);
  });

  it('holds for a client that names no session, by the conversation that it continues', async () => {
    await start();
    await ask({ text: 'one' });
    const goesOn = {
      model: 'model-a',
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'yes' },
        { role: 'user', content: 'more' },
      ],
    };
    const { status } = await send({ ...requestOf({}), body: JSON.stringify(goesOn) });
    assert.equal(status, 402);
    assert.equal((await ask({ text: 'two' })).status, 200);
  });

  it('is not passed by parallel requests: those in progress count with what they may cost', async () => {
    await start(KEY, () => 'stay silent');
    const first = open(requestOf({ session: 'one' })).on('error', () => undefined);
    first.end(requestOf({}).body);
    // The list of models is requested first.
    await running.server.request(1);
    const { status, message } = await ask({ session: 'one' });
    assert.equal(status, 402);
    assert.match(message, /Try again when they have ended/);
    const closed = new Promise((resolve) => first.on('close', resolve));
    first.destroy();
    await closed;
  });

  it('warns once when 80 % is used', async () => {
    await start(issued({ limits: { sessionDollars: 1 } }));
    await ask({ session: 'one' });
    await stop();
    const database = new DatabaseSync(ledger);
    database.exec('UPDATE exchanges SET cost = 850000000');
    database.close();
    await start(issued({ limits: { sessionDollars: 1 } }));
    await ask({ session: 'one' });
    await ask({ session: 'one' });
    assert.deepEqual(warnings, ['A session of the local key "aider" has used $0.85 of its cap of $1.00.']);
  });

  it('keeps the session of a refused request in the ledger', async () => {
    await start();
    await ask({ session: 'one' });
    await ask({ session: 'one' });
    await stop();
    const database = new DatabaseSync(ledger, { readOnly: true });
    const rows = database.prepare('SELECT session_id, ended FROM exchanges ORDER BY number').all();
    database.close();
    assert.equal(rows[1]?.ended, 'budget');
    assert.equal(rows[1]?.session_id, rows[0]?.session_id);
  });
});

describe('the question about a session at its cap', () => {
  const capped: CappedSession = { sessionId: 's', cap: 1, keyName: 'aider', isCodex: false, isOver: () => false };
  let notices: string[];
  let caps: SessionCaps;

  beforeEach(() => {
    notices = [];
    caps = new SessionCaps({
      spentOn: () => 1e9,
      onWarning: () => undefined,
      onNotice: ({ kind }) => notices.push(kind),
      waitMs: 1,
    });
  });

  it('is open when nobody has answered in time, but no further request waits for it', async () => {
    const refusal = await caps.admit('first', capped, 0);
    assert.equal(refusal?.error.status, 402);
    assert.deepEqual(notices, ['waits', 'refused']);
    const next = caps.admit('second', capped, 0);
    assert.ok(!(next instanceof Promise) && next?.error.status === 402);
    caps.decide('s', { cap: 2 });
    assert.equal(await caps.admit('third', capped, 0), undefined);
    assert.deepEqual(notices, ['waits', 'refused']);
  });

  it('comes again at the raised cap, after a warning at 80 % of it', async () => {
    await caps.admit('first', capped, 0);
    caps.decide('s', { cap: 2 });
    await caps.admit('second', capped, 0);
    caps.settle('second', 0.7e9);
    await caps.admit('third', capped, 0);
    caps.settle('third', 0.5e9);
    await caps.admit('fourth', capped, 0);
    assert.deepEqual(notices, ['waits', 'refused', 'nearlySpent', 'waits', 'refused']);
  });
});
