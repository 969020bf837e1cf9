import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Usage } from '../../../../src/formats/usage.ts';
import { billOf } from '../../../../src/panels/traffic/detail/bill.ts';
import { costLines, priceOf } from '../../../../src/tokens/price.ts';

const PRICES = { inputPrice: 5, outputPrice: 25, cachedInputPrice: 0.5 };

describe('the bill of a request', () => {
  const usage: Usage = {
    inputTokens: 55_740,
    outputTokens: 2_190,
    cachedInputTokens: 12_416,
    cacheWriteTokens: 43_110,
    longCacheWriteTokens: 19_481,
    reasoningTokens: 1_284,
  };

  it('has a line for each kind of tokens used, with count, price and amount', () => {
    const bill = billOf({ usage, bill: costLines(usage, PRICES) ?? [] });
    assert.deepEqual(
      bill?.lines.map(({ words, count, price, amount }) => [words, count, price, amount]),
      [
        ['Uncached input', 214, 5, 1_070],
        ['Cache read', 12_416, 0.5, 6_208],
        ['Cache write, 5 min', 23_629, 6.25, 147_681],
        ['Cache write, 1 h', 19_481, 10, 194_810],
        ['Reasoning', 1_284, 25, 32_100],
        ['Answer', 906, 25, 22_650],
      ],
    );
    assert.deepEqual([bill?.tokens, bill?.amount], [57_930, 404_519]);
    assert.deepEqual(
      bill?.lines.filter(({ isAssumed }) => isAssumed).map(({ words }) => words),
      ['Cache write, 5 min', 'Cache write, 1 h'],
    );
  });

  it('has only token counts without a price, and does not exist without usage', () => {
    const bill = billOf({ usage });
    assert.deepEqual([bill?.amount, bill?.tokens], [undefined, 57_930]);
    assert.ok(bill?.lines.every(({ price, amount }) => price === undefined && amount === undefined));
    assert.equal(billOf({}), undefined);
  });

  it('adds the difference from the amount that the upstream has reported, so that the lines add up to it', () => {
    const used = { inputTokens: 1000, outputTokens: 100 };
    const listed = costLines(used, PRICES) ?? [];
    for (const [reportedCost, difference] of [
      [0.006, -1_500],
      [0.008, 500],
    ] as const) {
      const bill = billOf({ usage: { ...used, reportedCost }, bill: listed });
      const last = bill?.lines.at(-1);
      assert.deepEqual(
        [last?.words, last?.count, last?.price, last?.amount],
        ['Difference from these prices', undefined, undefined, difference],
      );
      assert.equal(bill?.amount, reportedCost * 1e6);
    }
    assert.equal(billOf({ usage: { ...used, reportedCost: 0.0075 }, bill: listed })?.lines.length, 2);
  });

  it('has the reported amount beside the tokens if the catalog has no price', () => {
    const bill = billOf({ usage: { inputTokens: 1000, outputTokens: 100, reportedCost: 0.006 } });
    assert.deepEqual(
      bill?.lines.map(({ words, count, amount }) => [words, count, amount]),
      [
        ['Uncached input', 1000, undefined],
        ['Output', 100, undefined],
        ['Reported by the upstream', undefined, 6_000],
      ],
    );
    assert.equal(bill?.amount, 6_000);
  });

  it('has the price of reasoning where it has one of its own, and the fee of the request', () => {
    const used = { inputTokens: 1000, outputTokens: 100, reasoningTokens: 60 };
    const listed = costLines(used, { ...PRICES, reasoningPrice: 50, requestPrice: 0.01 }) ?? [];
    const bill = billOf({ usage: used, bill: listed });
    assert.deepEqual(
      bill?.lines.map(({ words, count, unit, price, amount }) => [words, count, unit, price, amount]),
      [
        ['Uncached input', 1000, 'tokens', 5, 5_000],
        ['Reasoning', 60, 'tokens', 50, 3_000],
        ['Answer', 40, 'tokens', 25, 1_000],
        ['Fee for each request', 1, 'requests', 0.01, 10_000],
      ],
    );
  });

  it('adds up in tokens and displayed amounts for any usage', () => {
    const count = fc.integer({ min: 0, max: 2_000_000 });
    const usages = fc.record({
      inputTokens: count,
      outputTokens: count,
      cachedInputTokens: count,
      cacheWriteTokens: count,
      longCacheWriteTokens: count,
      reasoningTokens: count,
      audioInputTokens: count,
    });
    const price = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(usages, price, price, (used, inputPrice, outputPrice) => {
        const prices = { inputPrice, outputPrice };
        const bill = billOf({ usage: used, bill: costLines(used, prices) ?? [] });
        const lines = bill?.lines ?? [];
        const total = (of: (line: (typeof lines)[number]) => number) => lines.reduce((sum, line) => sum + of(line), 0);
        assert.equal(
          total(({ count: tokens = 0 }) => tokens),
          // Without any tokens, there is no bill.
          bill?.tokens ?? 0,
        );
        assert.equal(
          total(({ amount = 0 }) => amount),
          bill?.amount ?? 0,
        );
        assert.ok(Math.abs((bill?.amount ?? 0) - (priceOf(used, prices) ?? 0) * 1e6) <= 0.51);
        for (const line of lines)
          assert.ok(Math.abs((line.amount ?? 0) - (line.count ?? 0) * (line.price ?? 0)) < 1.001, JSON.stringify(line));
      }),
      {
        examples: [
          [
            {
              inputTokens: 0,
              outputTokens: 0,
              cachedInputTokens: 0,
              cacheWriteTokens: 0,
              longCacheWriteTokens: 0,
              reasoningTokens: 0,
              audioInputTokens: 0,
            },
            0.01,
            0.01,
          ],
        ],
      },
    );
  });
});
