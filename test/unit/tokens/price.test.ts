import assert from 'node:assert/strict';
import fc from 'fast-check';
import { costLines, inputCost, outputCost, priceOf } from '../../../src/tokens/price.ts';

const PRICES = { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3 };

const toCents = (dollars = 0) => Math.round(dollars * 100);

describe('price', () => {
  it('is in dollars per million tokens', () => {
    assert.equal(inputCost(1_000_000, PRICES), 3);
    assert.equal(outputCost(2_000_000, PRICES, 0), 30);
  });

  it('adds input and output', () => {
    assert.equal(priceOf({ inputTokens: 1_000_000, outputTokens: 1_000_000 }, PRICES), 18);
  });

  it('charges cached input at its own price, once', () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 500_000, outputTokens: 0 };
    assert.equal(priceOf(usage, PRICES), 1.5 + 0.15);
  });

  it('charges cached input at a tenth of the input price if it has no price of its own', () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 500_000, outputTokens: 0 };
    assert.equal(priceOf(usage, { inputPrice: 3, outputPrice: 15 }), 1.65);
  });

  it('charges cache writes by their lifetime', () => {
    const usage = { inputTokens: 1_000_000, cacheWriteTokens: 600_000, longCacheWriteTokens: 200_000, outputTokens: 0 };
    assert.equal(toCents(priceOf(usage, PRICES)), 390);
    assert.equal(toCents(priceOf(usage, { ...PRICES, cacheWritePrice: 4, longCacheWritePrice: 5 })), 380);
  });

  it('lists what was billed line by line, and which prices are missing in the catalog', () => {
    const usage = {
      inputTokens: 1000,
      cachedInputTokens: 400,
      cacheWriteTokens: 100,
      outputTokens: 10,
      webSearches: 2,
    };
    const bill = costLines(usage, { ...PRICES, webSearchPrice: 0.01 });
    assert.deepEqual(
      bill?.map(({ kind, amount, price, isAssumed }) => [kind, amount, price, isAssumed]),
      [
        ['input', 500, 3, false],
        ['cachedInput', 400, 0.3, false],
        ['cacheWrite', 100, 3.75, true],
        ['output', 10, 15, false],
        ['webSearch', 2, 0.01, false],
      ],
    );
    assert.equal(
      bill?.reduce((sum, { cost }) => sum + cost, 0),
      priceOf(usage, { ...PRICES, webSearchPrice: 0.01 }),
    );
  });

  it('charges reasoning at its own price, and the fee of a request once', () => {
    const usage = { inputTokens: 1000, outputTokens: 100, reasoningTokens: 60, audioOutputTokens: 20 };
    const prices = { ...PRICES, reasoningPrice: 20, requestPrice: 0.005 };
    assert.deepEqual(
      costLines(usage, prices)?.map(({ kind, amount, price }) => [kind, amount, price]),
      [
        ['input', 1000, 3],
        ['reasoning', 60, 20],
        ['output', 20, 15],
        ['audioOutput', 20, 15],
        ['request', 1, 0.005],
      ],
    );
    assert.equal(inputCost(1000, prices), 0.008);
    const all = costLines({ ...usage, reasoningTokens: 500 }, prices);
    assert.equal(all?.find(({ kind }) => kind === 'reasoning')?.amount, 80, 'never more than the output');
  });

  it('of reasoning is not below that of other output after a long prompt', () => {
    const prices = { ...PRICES, reasoningPrice: 20, longPrompts: [{ above: 100, outputPrice: 22.5 }] };
    const usage = { inputTokens: 101, outputTokens: 10, reasoningTokens: 4 };
    assert.deepEqual(
      costLines(usage, prices)?.map(({ kind, price }) => [kind, price]),
      [
        ['input', 3],
        ['reasoning', 22.5],
        ['output', 22.5],
      ],
    );
  });

  it('is that of the whole request if its prompt is longer than the catalog’s usual prices allow', () => {
    const longPrompts = [
      { above: 200_000, inputPrice: 6, outputPrice: 22.5 },
      { above: 300_000, outputPrice: 30 },
    ];
    const prices = { ...PRICES, cacheWritePrice: 4, longPrompts };
    const billOf = (inputTokens: number) =>
      costLines({ inputTokens, cachedInputTokens: 100, cacheWriteTokens: 10, outputTokens: 10 }, prices)?.map(
        ({ kind, price, isAssumed }) => [kind, price, isAssumed],
      );
    const usual = [
      ['input', 3, false],
      ['cachedInput', 0.3, false],
      ['cacheWrite', 4, false],
    ];
    assert.deepEqual(billOf(200_000), [...usual, ['output', 15, false]]);
    assert.deepEqual(billOf(200_001), [
      ['input', 6, false],
      // The catalog lists no price for the cache of long prompts.
      ['cachedInput', 0.6, true],
      ['cacheWrite', 7.5, true],
      ['output', 22.5, false],
    ]);
    assert.deepEqual(billOf(300_001), [...usual, ['output', 30, false]]);
    assert.deepEqual([inputCost(200_001, prices), outputCost(1_000_000, prices, 200_001)], [1.200006, 22.5]);
  });

  it('does not count reasoning twice', () => {
    const usage = { inputTokens: 0, outputTokens: 1_000_000, reasoningTokens: 900_000 };
    assert.equal(priceOf(usage, PRICES), 15);
  });

  it('never goes below zero if a service counts cached tokens separately', () => {
    const counts = fc.nat(10_000_000);
    fc.assert(
      fc.property(counts, counts, counts, (inputTokens, cachedInputTokens, outputTokens) => {
        const price = priceOf({ inputTokens, cachedInputTokens, outputTokens }, PRICES);
        assert.ok(price !== undefined && price >= 0);
      }),
    );
  });

  it('is unknown without the prices it needs', () => {
    assert.equal(inputCost(1, {}), undefined);
    assert.equal(outputCost(1, {}, 0), undefined);
    assert.equal(priceOf({ inputTokens: 1, outputTokens: 1 }, { inputPrice: 3 }), undefined);
    assert.equal(priceOf({ inputTokens: 1, outputTokens: 1 }, { outputPrice: 3 }), undefined);
  });

  it('needs no output price for an answer without output', () => {
    assert.equal(priceOf({ inputTokens: 1_000_000, outputTokens: 0 }, { inputPrice: 3 }), 3);
  });

  it('is zero for a free model', () => {
    assert.equal(priceOf({ inputTokens: 5, outputTokens: 5 }, { inputPrice: 0, outputPrice: 0 }), 0);
  });
});
