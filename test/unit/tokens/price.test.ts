import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inputCost, outputCost, priceOf } from '../../../src/tokens/price.ts';

const PRICES = { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3 };

describe('price', () => {
  it('is dollars for a million tokens', () => {
    assert.equal(inputCost(1_000_000, PRICES), 3);
    assert.equal(outputCost(2_000_000, PRICES), 30);
  });

  it('adds input and output', () => {
    assert.equal(priceOf({ inputTokens: 1_000_000, outputTokens: 1_000_000 }, PRICES), 18);
  });

  it('takes cached input at its own price, once', () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 500_000, outputTokens: 0 };
    assert.equal(priceOf(usage, PRICES), 1.5 + 0.15);
  });

  it('takes cached input at the price of input when it has none of its own', () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 500_000, outputTokens: 0 };
    assert.equal(priceOf(usage, { inputPrice: 3, outputPrice: 15 }), 3);
  });

  it('does not count reasoning twice', () => {
    const usage = { inputTokens: 0, outputTokens: 1_000_000, reasoningTokens: 900_000 };
    assert.equal(priceOf(usage, PRICES), 15);
  });

  it('never goes below zero when a service counts cached tokens apart', () => {
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
    assert.equal(outputCost(1, {}), undefined);
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
