import assert from 'node:assert/strict';
import type { TrafficRow } from '../../../../src/pages/traffic/protocol.ts';
import { attemptLanes } from '../../../../src/panels/traffic/detail/attemptLanes.ts';
import { attemptWord } from '../../../../src/panels/traffic/detail/attemptWord.ts';
import { billOf } from '../../../../src/panels/traffic/detail/bill.ts';

const FAILED = { upstream: 'vendor', model: 'opus', at: 1_100, durationMs: 900, status: 529, failure: 'server' };
const BILLED = {
  ...{ upstream: 'mirror', model: 'opus', at: 2_000, durationMs: 500, failure: 'idle' },
  ...{ usage: { inputTokens: 1_000, outputTokens: 0 }, usageIsEstimated: true, cost: 0.005 },
};
const ANSWERED = { upstream: 'hosted', model: 'familya-opus-4.6', at: 2_500, durationMs: 3_500, status: 200 };
const USAGE = { inputTokens: 2_000, outputTokens: 100 };

const row = (more: Partial<TrafficRow>): TrafficRow => ({
  id: 'a',
  at: 1_000,
  source: 'gateway',
  upstream: 'hosted',
  durationMs: 5_000,
  end: 'completed',
  ...more,
});

describe('the attempts of a request', () => {
  it('are on its time axis, each with its cost', () => {
    const lanes = attemptLanes(row({ attempts: [FAILED, BILLED, ANSWERED], usage: USAGE, cost: 0.0175 }));
    assert.deepEqual(
      lanes.map(({ outcome, fromMs, toMs, cost, costIsEstimated }) => [outcome, fromMs, toMs, cost, costIsEstimated]),
      [
        ['failed', 100, 1_000, 0, false],
        ['failed', 1_000, 1_500, 0.005, true],
        ['answered', 1_500, 5_000, 0.0125, false],
      ],
    );
  });

  it('are not listed if one upstream was requested once', () => {
    assert.deepEqual(attemptLanes(row({ usage: USAGE, cost: 0.01 })), []);
  });

  it('have the running one at the end', () => {
    const { end: _, ...running } = row({ attempts: [FAILED], durationMs: 3_000, model: 'coding' });
    assert.deepEqual(
      attemptLanes(running).map(({ outcome, upstream, fromMs, toMs }) => [outcome, upstream, fromMs, toMs]),
      [
        ['failed', 'vendor', 100, 1_000],
        ['running', 'hosted', 1_000, 3_000],
      ],
    );
  });

  it('have no cost if it is unknown, or if the upstream was skipped', () => {
    const { cost: _, ...unpriced } = BILLED;
    const skipped = { upstream: 'local', model: 'qwen', at: 1_100, durationMs: 0, skipped: 'tools' };
    const lanes = attemptLanes(row({ attempts: [skipped, unpriced, ANSWERED], usage: USAGE }));
    assert.deepEqual(
      lanes.map(({ outcome, cost }) => [outcome, cost]),
      [
        ['skipped', undefined],
        ['failed', undefined],
        ['answered', undefined],
      ],
    );
  });

  it('state their outcome', () => {
    const words = attemptLanes(row({ attempts: [FAILED, BILLED, ANSWERED] })).map(attemptWord);
    assert.deepEqual(words, ['529 overloaded', 'timed out', '200']);
  });

  it('are a line in the bill, so that its sum is the cost', () => {
    const line = { kind: 'input', amount: 2_000, price: 5, isAssumed: false, cost: 0.01 } as const;
    const bill = billOf(
      row({ attempts: [FAILED, BILLED, ANSWERED], usage: USAGE, usageIsEstimated: true, bill: [line] }),
    );
    assert.deepEqual(
      bill?.lines.map(({ words, count, amount, isEstimated }) => [words, count, amount, isEstimated]),
      [
        ['Uncached input', 2_000, 10_000, false],
        ['Failed attempts', 1_000, 5_000, true],
      ],
    );
    assert.equal(bill?.amount, 15_000);
  });

  it('are the whole sum if the answer has no price, as in the row', () => {
    const bill = billOf(row({ attempts: [BILLED, ANSWERED], usage: USAGE }));
    assert.deepEqual([bill?.lines[0]?.amount, bill?.lines.at(-1)?.amount, bill?.amount], [undefined, 5_000, 5_000]);
    const { cost: _, ...unpriced } = BILLED;
    assert.equal(billOf(row({ attempts: [unpriced, ANSWERED], usage: USAGE }))?.amount, undefined);
  });
});
