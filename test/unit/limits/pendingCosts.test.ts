import assert from 'node:assert/strict';
import type { ChatRequest } from '../../../src/formats/conversation.ts';
import { maxCost } from '../../../src/limits/maxCost.ts';
import { PendingCosts } from '../../../src/limits/pendingCosts.ts';
import { estimateInputTokens } from '../../../src/tokens/estimate.ts';

describe('the possible cost of running calls', () => {
  it('is the sum of all running calls', () => {
    const underWay = new PendingCosts();
    underWay.reserve(1);
    underWay.reserve(2);
    assert.equal(underWay.sum, 3);
  });

  it('counts after the end of a call until the spending is read again', () => {
    const underWay = new PendingCosts();
    const settle = underWay.reserve(1);
    const early = underWay.reading();
    settle();
    early();
    assert.equal(underWay.sum, 1, 'a reading that began before the end knows nothing of it');
    underWay.reading()();
    assert.equal(underWay.sum, 0);
  });

  it('is released once, however often the end is reported', () => {
    const underWay = new PendingCosts();
    const settle = underWay.reserve(1);
    settle();
    underWay.reading()();
    settle();
    assert.equal(underWay.sum, 0);
  });
});

describe('the maximum cost of a request', () => {
  const request: ChatRequest = {
    model: 'familya-haiku-4.5',
    system: [],
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'How do I sort a list? '.repeat(100) }] }],
    maxTokens: 1_000,
  };

  it('assumes a longer prompt than estimated and the longest answer', () => {
    const input = Math.ceil(estimateInputTokens(request) * 1.2);
    const cost = maxCost(request, { inputPrice: 2, outputPrice: 10 });
    assert.ok(Math.abs(cost - (input * 2 + 1_000 * 10) / 1e6) < 1e-12, `${cost}`);
  });

  it('is undefined without a known price', () => {
    assert.equal(maxCost(request, {}), 0);
  });
});
