import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type CappedSession, SessionCaps } from '../../../../src/gateway/budgets/sessionCaps.ts';
import { type PacedRequest, SessionPace, sessionRequest } from '../../../../src/gateway/budgets/sessionPace.ts';
import type { CapNotice, SessionNotice } from '../../../../src/gateway/core/sessionNotice.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import { json, LOCAL_KEY, open, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { askedOf, issued, type Limited, pathOf, question, startLimited } from './limited.ts';

const SAID = { parts: [{ text: 'A pound of flesh.' }] };
const AUTHORIZED = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };
/** The input of one request costs less than this, and its answer costs more. */
const CAP = 0.000_1;
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
    ledger = emptyLedger();
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

  it('ends the session that reached it, explains why, and sends nothing more', async () => {
    await start();
    assert.equal((await ask({ session: 'one' })).status, 200);
    const { status, headers, message } = await ask({ session: 'one' });
    assert.equal(status, 402);
    assert.match(
      message,
      /This session has used .* of its cap of .* for the local key "aider", subagents included\. Nothing was sent or charged/,
    );
    assert.match(message, /Retrying does not help/);
    assert.equal((headers as Record<string, string>)['x-should-retry'], 'false');
    assert.equal(askedOf(running).length, 1);
  });

  it('counts the full reservation of an answer without usage', async () => {
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

  it('refuses requests with an unlisted price', async () => {
    await start();
    for (const more of [{ service_tier: 'priority' }, { tools: [{ type: 'advisor', name: 'a', model: 'dear' }] }]) {
      const asked = requestOf({ session: 'one' });
      const body = JSON.stringify({ ...JSON.parse(asked.body), ...more });
      assert.equal((await send({ ...asked, body })).status, 400, JSON.stringify(more));
    }
    assert.equal(askedOf(running).length, 0);
  });

  describe('with a user who can be asked', () => {
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

    it('holds the request, and sends it once the cap is raised', async () => {
      await start();
      await ask({ session: 'one' });
      const second = ask({ session: 'one' });
      const { sessionId, keyName, cap, step, spent } = await waits;
      assert.deepEqual([keyName, cap, step], ['aider', CAP, CAP]);
      assert.ok(spent >= CAP);
      assert.equal(askedOf(running).length, 1);
      books?.raiseSessionCap(sessionId, 1);
      assert.equal((await second).status, 200);
      assert.equal((await ask({ session: 'one' })).status, 200);
      assert.equal(notices.filter(({ kind }) => kind === 'waits').length, 1);
    });

    it('asks before a request whose input would exceed the cap, and states what it needs', async () => {
      await start(issued({ limits: { sessionDollars: 0.01 } }));
      const long = ask({ session: 'one', text: 'word '.repeat(10_000) });
      const { sessionId, spent, cap, needs = 0 } = await waits;
      assert.deepEqual([spent, cap], [0, 0.01]);
      assert.ok(needs > 0.012 && needs < 0.013, `${needs}`);
      assert.equal(askedOf(running).length, 0);
      books?.raiseSessionCap(sessionId, 1);
      assert.equal((await long).status, 200);
    });

    it('asks once for all requests of the session, and refuses them if the user ends it', async () => {
      await start();
      await ask({ session: 'one' });
      const waiting = [send(requestOf({ session: 'one' })), send(requestOf({ session: 'one' }))];
      const { sessionId } = await waits;
      running.gateway.endSession(sessionId);
      for (const answer of await Promise.all(waiting)) {
        assert.equal(answer.status, 402);
        assert.match(answer.body.toString(), /This session was ended\. Nothing was sent or charged/);
      }
      assert.equal((await ask({ session: 'one' })).status, 402);
      assert.equal(notices.filter(({ kind }) => kind === 'waits').length, 1);
      assert.equal(askedOf(running).length, 1);
    });

    it('sends nothing for a client that disconnected while it waited', async () => {
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
      books?.raiseSessionCap(sessionId, 1);
      assert.equal((await ask({ session: 'one' })).status, 200);
      assert.equal(askedOf(running).length, 2);
    });
  });

  it('does not affect other sessions', async () => {
    await start();
    await ask({ session: 'one' });
    assert.equal((await ask({ session: 'two' })).status, 200);
  });

  it('counts subagents in their session', async () => {
    await start();
    await ask({ session: 'one', headers: { 'x-claude-code-agent-id': 'agent' } });
    assert.equal((await ask({ session: 'one' })).status, 402);
  });

  it('is reported to Codex as an invalid request, so that it does not retry', async () => {
    await start();
    const headers = { 'user-agent': 'codex_exec/0.169.0', 'session-id': 'one' };
    await ask({ headers });
    assert.equal((await ask({ headers })).status, 400);
  });

  it('still applies after the gateway restarts', async () => {
    await start();
    await ask({ session: 'one' });
    await stop();
    await start();
    assert.equal((await ask({ session: 'one' })).status, 402);
  });

  it('applies to a client without a session id, by the conversation that it continues', async () => {
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

  it('is not exceeded by parallel requests: those in progress count at their maximum cost', async () => {
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

  it('immediately refuses a request whose input alone would exceed it', async () => {
    await start(issued({ limits: { sessionDollars: 0.01 } }));
    const { status, message, headers } = await ask({ session: 'one', text: 'word '.repeat(10_000) });
    assert.equal(status, 402);
    assert.match(message, /has used \$0\.00 of its cap of \$0\.01 .* This request needs about \$0\.0125\. Nothing was/);
    assert.equal((headers as Record<string, string>)['x-should-retry'], 'false');
    assert.equal(askedOf(running).length, 0);
    assert.equal((await ask({ session: 'one' })).status, 200);
  });

  it('warns once at 80 % of the cap', async () => {
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

  it('records the session of a refused request in the ledger', async () => {
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

/** A request without a price. */
const FREE: PacedRequest = { model: 'm', prices: undefined, inputTokens: 100, maxCost: 0 };

describe('the question about a session at its cap', () => {
  const capped: CappedSession = {
    sessionId: 's',
    cap: 1,
    keyId: 'k',
    keyName: 'aider',
    isCodex: false,
    bytes: 400,
    isOver: () => false,
    hasEnded: () => false,
  };
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

  it('stays open after its timeout, but further requests do not wait for it', async () => {
    const refusal = await caps.admit('first', capped, FREE);
    assert.equal(refusal?.error.status, 402);
    assert.deepEqual(notices, ['waits', 'refused']);
    const next = caps.admit('second', capped, FREE);
    assert.ok(!(next instanceof Promise) && next?.error.status === 402);
    caps.raise('s', 2);
    assert.equal(await caps.admit('third', capped, FREE), undefined);
    assert.deepEqual(notices, ['waits', 'refused']);
  });

  it('is part of the session state until the cap is raised or the session is ended', async () => {
    const state = () => {
      const { isWaiting, isEnded, spent, cap, step, localKeyId } = caps.states[0] ?? {};
      return { isWaiting, isEnded, spent, cap, step, localKeyId };
    };
    assert.deepEqual(caps.states, []);
    const asked = caps.admit('first', capped, FREE);
    const waiting = { isWaiting: true, isEnded: false, spent: 1, cap: 1, step: 1, localKeyId: 'k' };
    assert.deepEqual(state(), waiting);
    await asked;
    assert.deepEqual(state(), waiting);
    caps.raise('s', 2);
    assert.deepEqual(state(), { ...waiting, isWaiting: false, cap: 2 });
    caps.end('s');
    assert.deepEqual(state(), { ...waiting, isWaiting: false, isEnded: true, cap: 2 });
  });

  it('is asked again at the raised cap, after a warning at 80 % of it', async () => {
    await caps.admit('first', capped, FREE);
    caps.raise('s', 2);
    await caps.admit('second', capped, FREE);
    caps.settle('second', 0.7e9);
    await caps.admit('third', capped, FREE);
    caps.settle('third', 0.5e9);
    await caps.admit('fourth', capped, FREE);
    assert.deepEqual(notices, ['waits', 'refused', 'nearlySpent', 'waits', 'refused']);
  });
});

describe('a session with several parallel requests', () => {
  const capped = { sessionId: 's', cap: 1, keyId: 'k', keyName: 'aider', isCodex: false, bytes: 400 };
  const alone: CappedSession = { ...capped, isOver: () => false, hasEnded: () => false };
  /** At least $0.60 of its input, at most $0.90. */
  const dear: PacedRequest = { model: 'm', prices: { inputPrice: 1 }, inputTokens: 600_000, maxCost: 0.9e9 };

  it('sends those that the remaining amount covers together, and the next one when they have ended', () => {
    const caps = new SessionCaps({ spentOn: () => 0, onWarning: () => undefined });
    assert.equal(caps.admit('first', alone, dear), undefined);
    const refusal = caps.admit('second', alone, dear);
    assert.match(String(!(refusal instanceof Promise) && refusal?.error.message), /Try again when they have ended/);
    // A second attempt of the first one was admitted before.
    assert.equal(caps.admit('first', alone, { ...dear, maxCost: 0.05e9 }), undefined);
    caps.settle('first', 0.2e9);
    assert.equal(caps.admit('third', alone, dear), undefined);
  });
});

describe('the estimated cost of the next request of a session', () => {
  const prices = { inputPrice: 1, outputPrice: 10, cachedInputPrice: 0.1 };
  const of = (inputTokens: number, most = 1e12): PacedRequest => ({ model: 'm', prices, inputTokens, maxCost: most });

  it('is the price of its input, with earlier input read from the cache', () => {
    const pace = new SessionPace();
    assert.equal(pace.needOf(of(50_000)), 0.05e9);
    pace.add(of(50_000), 0);
    assert.equal(pace.needOf(of(60_000)), 0.015e9);
    assert.equal(pace.needOf({ ...of(60_000), model: 'other' }), 0.06e9);
    assert.equal(pace.needOf({ ...of(60_000), prices: undefined }), 0);
  });

  it('follows the cost per token of most of the last requests, up to the maximum', () => {
    const pace = new SessionPace();
    for (const cost of [0.5e9, 0.1e9, 0.1e9]) pace.add(of(100_000), cost);
    assert.equal(pace.needOf(of(100_000)), 0.1e9);
    assert.equal(pace.needOf(of(200_000)), 0.2e9);
    assert.equal(pace.needOf(of(200_000, 0.15e9)), 0.15e9);
  });

  it('is derived from the length of the body, which only approximates the tokens', () => {
    const plan = { model: 'm', inputTokens: 9_000, maxOutputTokens: 0, prices };
    assert.equal(sessionRequest(plan, 8_000).inputTokens, 2_000);
    assert.equal(sessionRequest(plan, 2_000_000).inputTokens, 2_250);
    assert.equal(sessionRequest(plan, 8_000).maxCost, 9_000_000);
  });
});
