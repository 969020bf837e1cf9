import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

const NOON = new Date(2026, 10, 20, 12).getTime();
const DAY = 24 * 60 * 60 * 1000;
const PERIOD = { first: '2026-11-20', last: '2026-11-20' };
const MISS = { reason: 'tools_changed', missedTokens: 1000 } as const;

describe('the sessions of a period', () => {
  afterEach(removeFolders);

  function sessionsOf(entries: readonly ReturnType<typeof entry>[], ofSandbox = false, period = PERIOD) {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    for (const each of entries) ledger.append(each);
    ledger.close();
    const reader = new LedgerReader(path);
    const sessions = reader.usageSessions({ period, ofSandbox });
    reader.close();
    return sessions;
  }

  it('are sums of their requests, the most expensive first', () => {
    const usage = { inputTokens: 10_000, outputTokens: 0, cachedInputTokens: 4000, cacheWriteTokens: 5000 };
    const { count, sessions } = sessionsOf([
      entry({ at: NOON, sessionId: 'a', turnId: '1', usage }),
      entry({ at: NOON + 5, sessionId: 'a', turnId: '2', usage, model: 'familya-haiku-4.5', cacheMiss: MISS }),
      entry({ at: NOON, sessionId: 'b', source: 'chatPanel', conversationId: 'c1' }),
      entry({ at: NOON }),
      entry({ at: NOON - DAY, sessionId: 'yesterday' }),
    ]);
    assert.equal(count, 2);
    const [first, second] = sessions;
    const expected = (1000 * 3 + 4000 * 0.3 + 5000 * 3.75) / 1e6;
    assert.equal(first?.sessionId, 'a');
    assert.ok(Math.abs((first?.cost ?? 0) - 2 * expected) < 1e-9);
    assert.deepEqual(
      [first?.turns, first?.exchanges, first?.otherModels, first?.inputTokens, first?.cachedInputTokens],
      [2, 2, 1, 20_000, 8000],
    );
    assert.deepEqual([first?.at, first?.lastAt], [NOON, NOON + 5]);
    assert.deepEqual([second?.sessionId, second?.conversationId, second?.avoidable], ['b', 'c1', 0]);
  });

  it('name the part of subagents in the cost', () => {
    const usage = { inputTokens: 10_000, outputTokens: 0 };
    const { sessions } = sessionsOf([
      entry({ at: NOON, sessionId: 'a', usage }),
      entry({ at: NOON + 1, sessionId: 'a', agentId: 'explorer', usage }),
      entry({ at: NOON + 2, sessionId: 'b', usage }),
    ]);
    assert.deepEqual(
      sessions.map(({ sessionId, cost, subagentCost }) => [sessionId, cost, subagentCost]),
      [
        ['a', 0.06, 0.03],
        ['b', 0.03, undefined],
      ],
    );
  });

  it('are grouped by tool, the most expensive first, and by day, the latest first', () => {
    const usage = { inputTokens: 10_000, outputTokens: 0 };
    const entries = [
      entry({ at: NOON - DAY, sessionId: 'a', client: 'codex', usage }),
      entry({ at: NOON, sessionId: 'a', client: 'codex', usage }),
      entry({ at: NOON, sessionId: 'b', client: 'codex', usage, cacheMiss: MISS }),
      entry({ at: NOON, sessionId: 'c', source: 'chatPanel', conversationId: 'c1', usage }),
      entry({ at: NOON, client: 'codex', usage }),
    ];
    const { byTool, byDay, sessions } = sessionsOf(entries, false, { ...PERIOD, first: '2026-11-19' });
    assert.deepEqual(
      byTool.map(({ source, client, sessions: count, exchanges }) => [source, client, count, exchanges]),
      [
        ['gateway', 'codex', 2, 3],
        ['chatPanel', 'curl', 1, 1],
      ],
    );
    assert.deepEqual(
      byDay.map(({ day, sessions: count, exchanges }) => [day, count, exchanges]),
      [
        ['2026-11-20', 3, 3],
        ['2026-11-19', 1, 1],
      ],
    );
    const total = (rows: readonly { readonly cost: number }[]) => rows.reduce((sum, { cost }) => sum + cost, 0);
    assert.ok(Math.abs(total(byTool) - total(sessions)) < 1e-9 && Math.abs(total(byDay) - total(sessions)) < 1e-9);
    assert.ok((byTool[0]?.avoidable ?? 0) > 0 && byTool[1]?.avoidable === 0);
  });

  it('sum up each run of the agent, the most expensive first', () => {
    const usage = { inputTokens: 10_000, outputTokens: 100, cachedInputTokens: 4000 };
    const chat = { source: 'chatPanel', sessionId: 'a', conversationId: 'c1', usage } as const;
    const { runs } = sessionsOf([
      entry({ ...chat, at: NOON, turnId: 'short', step: 1 }),
      entry({ ...chat, at: NOON + 1, turnId: 'long', step: 1 }),
      entry({ ...chat, at: NOON + 2, turnId: 'long', step: 2 }),
      // The step was sent again after a failure.
      entry({ ...chat, at: NOON + 3, turnId: 'long', step: 2 }),
      entry({ ...chat, at: NOON + 4, turnId: 'question' }),
      entry({ ...chat, at: NOON - DAY, turnId: 'yesterday', step: 1 }),
    ]);
    assert.deepEqual(
      runs.map(({ turnId, conversationId, at, steps, exchanges, inputTokens, cachedInputTokens, outputTokens }) => [
        [turnId, conversationId, at - NOON],
        [steps, exchanges, inputTokens, cachedInputTokens, outputTokens],
      ]),
      [
        [
          ['long', 'c1', 1],
          [2, 3, 30_000, 12_000, 300],
        ],
        [
          ['short', 'c1', 0],
          [1, 1, 10_000, 4000, 100],
        ],
      ],
    );
    assert.ok(Math.abs((runs[0]?.cost ?? 0) - 3 * (runs[1]?.cost ?? 0)) < 1e-9);
  });

  it('include avoidable costs of avoidable misses only', () => {
    const usage = { inputTokens: 10_000, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 10_000 };
    const { sessions, misses } = sessionsOf([
      entry({ at: NOON, sessionId: 'a', usage, cacheMiss: { reason: 'cold', missedTokens: 10_000 } }),
      entry({ at: NOON, sessionId: 'a', usage, cacheMiss: MISS }),
      entry({ at: NOON, sessionId: 'b', usage, cacheMiss: MISS }),
      entry({ at: NOON, sessionId: 'b', usage, cacheMiss: { reason: 'expired', missedTokens: 4000 } }),
    ]);
    const each = (1000 * (3.75 - 0.3)) / 1e6;
    assert.deepEqual(
      misses.map(({ reason, exchanges }) => [reason, exchanges]),
      [
        ['expired', 1],
        ['tools_changed', 2],
      ],
    );
    const avoidable = Object.fromEntries(sessions.map((session) => [session.sessionId, session.avoidable]));
    assert.ok(Math.abs((avoidable.a ?? 0) - each) < 1e-9);
    assert.ok(Math.abs((avoidable.b ?? 0) - 5 * each) < 1e-9);
  });

  it('of the sandbox are separate from all others', () => {
    const entries = [
      entry({ at: NOON, sessionId: 'a' }),
      entry({ at: NOON, sessionId: 'sample', upstream: 'sandbox' }),
    ];
    assert.deepEqual(
      sessionsOf(entries).sessions.map(({ sessionId }) => sessionId),
      ['a'],
    );
    assert.deepEqual(
      sessionsOf(entries, true).sessions.map(({ sessionId }) => sessionId),
      ['sample'],
    );
  });
});

describe('the caches of a period', () => {
  afterEach(removeFolders);

  const READ = { inputTokens: 10_000, outputTokens: 0, cachedInputTokens: 9_000 };
  const WRITE = {
    inputTokens: 12_000,
    outputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 12_000,
    longCacheWriteTokens: 2_000,
  };
  const SAVED = (9_000 * (3 - 0.3)) / 1e6;
  const EXTRA = (10_000 * (3.75 - 3) + 2_000 * (6 - 3)) / 1e6;

  function read(entries: readonly ReturnType<typeof entry>[], period = PERIOD) {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    for (const each of entries) ledger.append(each);
    ledger.close();
    const reader = new LedgerReader(path);
    const scope = { period, ofSandbox: false };
    const result = { cache: reader.usageSessions(scope).cache, report: reader.usage(scope) };
    reader.close();
    const database = new DatabaseSync(path, { readOnly: true });
    const sql = database
      .prepare(
        `SELECT total(cache_saving) / 1e9 AS saving,
           total(cache_miss_cost) FILTER (WHERE cache_miss_reason <> 'cold') / 1e9 AS avoidable
         FROM exchanges WHERE upstream <> 'sandbox'`,
      )
      .get();
    database.close();
    return { ...result, sql };
  }

  function assertNear(actual: number | undefined, expected: number): void {
    assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual} is not ${expected}`);
  }

  it('are the savings of reads, the extra cost of writes, and the cost of avoidable misses, equal to SQL', () => {
    const { cache, report, sql } = read([
      entry({ at: NOON, sessionId: 'a', usage: WRITE, cacheMiss: { reason: 'cold', missedTokens: 12_000 } }),
      entry({ at: NOON + 1, sessionId: 'a', usage: READ }),
      entry({ at: NOON + 2, sessionId: 'b', usage: WRITE, cacheMiss: MISS }),
      entry({ at: NOON + 3, usage: READ, cacheMiss: MISS }),
      entry({ at: NOON + 4, usage: READ, upstream: 'sandbox', cacheMiss: MISS }),
    ]);
    assertNear(cache.readsSaved, 2 * SAVED);
    assertNear(cache.writesExtra, 2 * EXTRA);
    assertNear(cache.readsSaved - cache.writesExtra, Number(sql?.saving));
    assertNear(cache.readsSaved - cache.writesExtra, report.totals.cacheSaving);
    assertNear(cache.avoidable, Number(sql?.avoidable));
    assert.deepEqual([cache.misses, cache.missedSessions], [2, 1]);
  });

  it('have their amounts by hour, day, or week like the report', () => {
    const entries = [
      entry({ at: NOON - 200 * DAY }),
      entry({ at: NOON - 6 * DAY, usage: READ }),
      entry({ at: NOON - DAY, usage: READ }),
      entry({ at: NOON, usage: WRITE, cacheMiss: MISS }),
    ];
    const timesOf = (first: string, last = '2026-11-20') => {
      const { cache, report } = read(entries, { first, last });
      const known = new Set(report.moments.map(({ time }) => time));
      assert.ok(cache.moments.every(({ time }) => known.has(time)));
      return cache.moments.map(({ time }) => time).sort();
    };
    assert.deepEqual(timesOf('2026-11-20'), ['2026-11-20T12']);
    assert.deepEqual(timesOf('2026-11-01'), ['2026-11-14', '2026-11-19', '2026-11-20']);
    assert.deepEqual(timesOf('2026-01-01'), ['2026-11-09', '2026-11-16']);
    const { cache } = read(entries, { first: '2026-11-14', last: '2026-11-20' });
    const sum = cache.moments.reduce((total, { readsSaved }) => total + readsSaved, 0);
    assertNear(sum, cache.readsSaved);
  });

  it('are compared with the hit rate of the same number of days before', () => {
    const entries = [entry({ at: NOON - DAY, usage: READ }), entry({ at: NOON, usage: WRITE })];
    assert.equal(read(entries).cache.hitRateBefore, 0.9);
    assert.equal(read(entries, { first: '2026-11-19', last: '2026-11-20' }).cache.hitRateBefore, undefined);
  });

  it('count nothing for requests without a price', () => {
    const { cache } = read([{ ...entry({ at: NOON, usage: READ }), prices: {} }]);
    assert.deepEqual([cache.readsSaved, cache.writesExtra, cache.moments.length], [0, 0, 0]);
  });
});

describe('the sessions that match a filter', () => {
  afterEach(removeFolders);

  it('keep sample cost separate from cost', () => {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    for (const each of [
      entry({ sessionId: 'samples', upstream: 'sandbox', cost: 5 }),
      entry({ sessionId: 'mixed', upstream: 'sandbox', cost: 5 }),
      entry({ sessionId: 'mixed', cost: 2e9 }),
    ]) {
      ledger.append(each);
    }
    ledger.close();
    const reader = new LedgerReader(path);
    const sums = reader
      .sessions({ filter: {}, limit: 9 })
      .sessions.map((each) => [each.sessionId, each.cost, each.isSample]);
    reader.close();
    assert.deepEqual(sums.sort(), [
      ['mixed', 2, false],
      ['samples', 5e-9, true],
    ]);
  });

  it('are the latest ones with the sums of their matching requests, and those without a session', () => {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    const usage = { inputTokens: 10_000, outputTokens: 300, cachedInputTokens: 4000, cacheWriteTokens: 5000 };
    for (const each of [
      entry({ at: NOON, sessionId: 'old' }),
      entry({ at: NOON + 1, sessionId: 'a', usage, cacheMiss: MISS }),
      entry({ at: NOON + 2, sessionId: 'a', usage, client: 'other', status: 402, end: 'budget' }),
      entry({ at: NOON + 3, client: 'other' }),
    ]) {
      ledger.append(each);
    }
    ledger.close();
    const reader = new LedgerReader(path);
    const all = reader.sessions({ filter: {}, limit: 1 });
    assert.equal(all.count, 2);
    assert.deepEqual(
      all.sessions.map((each) => [each.sessionId, each.exchanges, each.outputTokens, each.lastEnd, each.lastStatus]),
      [['a', 2, 600, 'budget', 402]],
    );
    assert.equal(all.withoutSession?.exchanges, 1);
    const others = reader.sessions({ filter: { client: 'other' }, limit: 9 });
    assert.deepEqual([others.count, others.sessions[0]?.exchanges], [1, 1]);
    const missed = reader.sessions({
      filter: { terms: [{ field: 'miss', text: 'any', localKeyIds: [], sources: [] }] },
      limit: 9,
    });
    assert.deepEqual([missed.sessions[0]?.exchanges, missed.withoutSession], [1, undefined]);
    reader.close();
  });
});
