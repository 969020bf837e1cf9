import assert from 'node:assert/strict';
import { replayCost } from '../../../../../src/pages/session/replay/replayCost.ts';

const PRICES = { inputPrice: 1, outputPrice: 10, cachedInputPrice: 0.1, cacheWritePrice: 1.25 };
const FIRST = { inputTokens: 100_000, outputTokens: 1_000, cachedInputTokens: 90_000 };
const SECOND = { inputTokens: 110_000, outputTokens: 1_000, cachedInputTokens: 100_000, cacheWriteTokens: 10_000 };

function near(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual} is not ${expected}`);
}

describe('the price of a replay', () => {
  it('ranges from the recorded cache share to a first request that writes the cache', () => {
    const cost = replayCost([FIRST, SECOND], PRICES);
    const output = (2_000 * 10) / 1e6;
    const second = (100_000 * 0.1 + 10_000 * 1.25) / 1e6;
    near(cost?.low, 0.9 * ((10_000 + 90_000 * 0.1) / 1e6 + second) + 0.7 * output);
    near(cost?.high, 1.1 * ((10_000 + 90_000 * 1.25) / 1e6 + second) + 1.3 * output);
  });

  it('is at most the price with a cache that is always written and never read', () => {
    near(replayCost([FIRST, SECOND], PRICES)?.max, 1.1 * ((10_000 + 200_000 * 1.25) / 1e6) + 1.3 * 0.02);
  });

  it('is at most the price without a cache if cache writes are cheaper', () => {
    const cost = replayCost([FIRST], { ...PRICES, cacheWritePrice: 0 });
    near(cost?.max, 1.1 * 0.1 + 1.3 * 0.01);
  });

  it('is unknown without a price', () => {
    assert.equal(replayCost([FIRST], {}), undefined);
  });
});
