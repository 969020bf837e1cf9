import assert from 'node:assert/strict';
import { Ledger } from '../../../../src/gateway/ledger/ledger.ts';
import { LedgerReader } from '../../../../src/gateway/ledger/ledgerReader.ts';
import { entry } from './entries.ts';
import { ledgerPath, removeFolders } from './files.ts';

const NOON = new Date(2026, 10, 20, 12).getTime();
const DAY = 24 * 60 * 60 * 1000;
const PERIOD = { first: '2026-11-20', last: '2026-11-20' };
const MISS = { reason: 'tools_changed', missedTokens: 1000 } as const;

describe('the sessions of a period', () => {
  afterEach(removeFolders);

  function sessionsOf(entries: readonly ReturnType<typeof entry>[], ofSandbox = false) {
    const path = ledgerPath();
    const ledger = new Ledger({ path });
    for (const each of entries) ledger.append(each);
    ledger.close();
    const reader = new LedgerReader(path);
    const sessions = reader.usageSessions({ period: PERIOD, ofSandbox });
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

  it('have avoidable costs of misses that can be avoided, and no others', () => {
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

  it('of the sandbox are apart from all others', () => {
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

describe('the sessions of a filter', () => {
  afterEach(removeFolders);

  it('never add sample money to money', () => {
    const path = ledgerPath();
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

  it('are the latest ones with the sums of the requests that it lets through, and those without a session', () => {
    const path = ledgerPath();
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
