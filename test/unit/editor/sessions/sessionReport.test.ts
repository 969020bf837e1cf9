import assert from 'node:assert/strict';
import { figuresOf, sessionMisses, sessionTurns } from '../../../../src/editor/sessions/sessionReport.ts';
import { row } from './rows.ts';

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

  it('have the requests of subagents that started in them', () => {
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

  it('are those of the only agent where no request is of the main one', () => {
    const turns = sessionTurns([row({ agentId: 'x', turnId: 'a' }), row({ agentId: 'x', turnId: 'b' })]);
    assert.equal(turns.length, 2);
  });

  it('are single requests where no client names them', () => {
    assert.equal(sessionTurns([row(), row()]).length, 2);
  });
});

describe('the figures of a session', () => {
  it('are exact sums, with the parts of the input', () => {
    const rows = [
      row({ usage, cost: 0.1, cacheSaving: 0.01 }),
      row({ usage: { ...usage, longCacheWriteTokens: 50 }, cost: 0.2, cacheSaving: -0.03 }),
      row(),
    ];
    assert.deepEqual(figuresOf(rows), {
      requests: 3,
      uncached: 200,
      read: 1_400,
      written: 400,
      longWritten: 50,
      output: 20,
      cost: 0.3,
      subagentCost: 0,
      saved: -0.02,
      avoidable: 0,
    });
  });

  it('have avoidable misses by their reasons, the most expensive first, and no expected ones', () => {
    const miss = (reason: 'expired' | 'tools_changed' | 'cold', cost: number, turnId: string) =>
      row({ turnId, cacheMiss: { reason, missedTokens: 5_000, cost } });
    const rows = [
      miss('cold', 9, 'a'),
      miss('expired', 0.1, 'b'),
      miss('tools_changed', 0.3, 'c'),
      miss('expired', 0.1, 'c'),
    ];
    assert.deepEqual(sessionMisses(rows), [
      { reason: 'tools_changed', turns: [3], count: 1, tokens: 5_000, cost: 0.3 },
      { reason: 'expired', turns: [2, 3], count: 2, tokens: 10_000, cost: 0.2 },
    ]);
    assert.equal(figuresOf(rows).avoidable, 0.5);
  });
});
