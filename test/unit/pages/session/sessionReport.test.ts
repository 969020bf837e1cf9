import assert from 'node:assert/strict';
import {
  agentTypes,
  figuresOf,
  isUnpriced,
  sessionMisses,
  sessionTurns,
} from '../../../../src/pages/session/sessionReport.ts';
import { row } from '../../editor/sessions/rows.ts';

const usage = { inputTokens: 1_000, outputTokens: 10, cachedInputTokens: 700, cacheWriteTokens: 200 };

describe('the turns of a session', () => {
  it('are counted from the first one, with the context of the main agent’s last request', () => {
    const first = row({ turnId: 'a', usage });
    const second = row({ turnId: 'a', usage: { ...usage, inputTokens: 2_000 } });
    const third = row({ turnId: 'b' });
    const turns = sessionTurns([third, second, first]);
    assert.deepEqual(
      turns.map(({ number, requests, context, from, to }) => [number, requests, context, from, to]),
      [
        [1, 2, 2_000, first.at, second.at + 500],
        [2, 1, 0, third.at, third.at + 500],
      ],
    );
  });

  it('include the requests of subagents that started in them', () => {
    const rows = [
      row({ turnId: 'a', cost: 0.1 }),
      row({ agentId: 'x', turnId: 'own', cost: 0.2, usage: { ...usage, inputTokens: 9_000 } }),
      row({ turnId: 'a', cost: 0.1, usage }),
      row({ turnId: 'b' }),
      row({ agentId: 'x', turnId: 'own', cost: 0.3 }),
    ];
    const turns = sessionTurns(rows);
    assert.deepEqual(
      turns.map(({ requests, cost, subagentCost, context }) => [requests, cost, subagentCost, context]),
      [
        [3, 0.4, 0.2, 1_000],
        [2, 0.3, 0.3, 0],
      ],
    );
  });

  it('are those of the only agent if no request is from the main agent', () => {
    const turns = sessionTurns([row({ agentId: 'x', turnId: 'a' }), row({ agentId: 'x', turnId: 'b' })]);
    assert.equal(turns.length, 2);
  });

  it('are single requests if the client sends no turn ids', () => {
    assert.equal(sessionTurns([row(), row()]).length, 2);
  });
});

describe('the subagents of a session', () => {
  it('are named once each, in order of their start, without the main agent', () => {
    const rows = [
      row({ agentId: 'a', agentType: 'Explore' }),
      row({ agentType: 'never' }),
      row({ agentId: 'b', agentType: 'Plan' }),
      row({ agentId: 'c', agentType: 'Explore' }),
      row({ agentId: 'd' }),
    ];
    assert.deepEqual(agentTypes(rows.toReversed()), ['Explore', 'Plan']);
  });
});

describe('a request without a known price', () => {
  it('has an answer or a billed failed attempt without a price', () => {
    const own = { usage, cost: 0.1, bill: [] };
    const failed = { upstream: 'u', model: 'm', at: 0, durationMs: 1, failure: 'server', usage };
    const priced = { ...failed, cost: 0.05 };
    const { bill: _, ...withoutBill } = own;
    const { cost: __, ...withoutCost } = withoutBill;
    for (const [members, expected] of [
      [own, false],
      [{ ...own, attempts: [priced] }, false],
      [{}, false],
      [withoutCost, true],
      [{ ...own, attempts: [failed] }, true],
      [{ ...withoutBill, attempts: [priced] }, true],
    ] as const) {
      assert.equal(isUnpriced(row(members)), expected, JSON.stringify(members));
    }
  });
});

describe('the figures of a session', () => {
  it('include the tokens of failed attempts that were billed', () => {
    const failed = { upstream: 'u', model: 'm', at: 0, durationMs: 1, failure: 'server' };
    const attempts = [{ ...failed, usage }, failed];
    const { uncached, read, written, output } = figuresOf([row({ usage, attempts }), row({ attempts })]);
    assert.deepEqual([uncached, read, written, output], [300, 2_100, 600, 30]);
  });

  it('are exact sums, with the parts of the input', () => {
    const rows = [
      row({ usage, cost: 0.1, cacheSaving: 0.01, toolMs: 222 }),
      row({ usage: { ...usage, longCacheWriteTokens: 50 }, cost: 0.2, cacheSaving: -0.03, toolMs: 8 }),
      row(),
    ];
    assert.deepEqual(figuresOf(rows), {
      requests: 3,
      uncached: 200,
      read: 1_400,
      written: 400,
      longWritten: 50,
      output: 20,
      toolMs: 230,
      cost: 0.3,
      subagentCost: 0,
      saved: -0.02,
      avoidable: 0,
    });
  });

  it('list avoidable cache misses by reason, the most expensive first, and no expected ones', () => {
    const miss = (reason: 'expired' | 'tools_changed' | 'cold', cost: number, turnId: string) =>
      row({ turnId, cacheMiss: { reason, missedTokens: 5_000, cost } });
    const rows = [
      miss('cold', 9, 'a'),
      miss('expired', 0.1, 'b'),
      miss('tools_changed', 0.3, 'c'),
      miss('expired', 0.1, 'c'),
    ];
    const names = new Map([[rows[2]?.id ?? '', 'mcp__jira']]);
    assert.deepEqual(sessionMisses(rows, names), [
      { reason: 'tools_changed', turns: [3], changed: ['mcp__jira'], count: 1, tokens: 5_000, cost: 0.3 },
      { reason: 'expired', turns: [2, 3], changed: [], count: 2, tokens: 10_000, cost: 0.2 },
    ]);
    assert.equal(figuresOf(rows).avoidable, 0.5);
  });
});
