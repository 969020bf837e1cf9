import assert from 'node:assert/strict';
import { CostsUnderWay } from '../../../../src/editor/limits/costsUnderWay.ts';
import { maxCost } from '../../../../src/editor/limits/maxCost.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';
import { estimateInputTokens } from '../../../../src/tokens/estimate.ts';

describe('what calls under way may cost', () => {
  it('is the sum of those that go on', () => {
    const underWay = new CostsUnderWay();
    underWay.setAside(1);
    underWay.setAside(2);
    assert.equal(underWay.sum, 3);
  });

  it('counts after the end of a call until what was spent is read again', () => {
    const underWay = new CostsUnderWay();
    const settle = underWay.setAside(1);
    const early = underWay.reading();
    settle();
    early();
    assert.equal(underWay.sum, 1, 'a reading that began before the end knows nothing of it');
    underWay.reading()();
    assert.equal(underWay.sum, 0);
  });

  it('is free once, however often the end is told', () => {
    const underWay = new CostsUnderWay();
    const settle = underWay.setAside(1);
    settle();
    underWay.reading()();
    settle();
    assert.equal(underWay.sum, 0);
  });
});

describe('the most that a request can cost', () => {
  const request: ChatRequest = {
    model: 'familya-haiku-4.5',
    system: [],
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'How do I sort a list? '.repeat(100) }] }],
    maxTokens: 1_000,
  };

  it('is that of a longer prompt than estimated and of the longest answer', () => {
    const input = Math.ceil(estimateInputTokens(request) * 1.2);
    const cost = maxCost(request, { inputPrice: 2, outputPrice: 10 });
    assert.ok(Math.abs(cost - (input * 2 + 1_000 * 10) / 1e6) < 1e-12, `${cost}`);
  });

  it('is nothing where no price is known', () => {
    assert.equal(maxCost(request, {}), 0);
  });
});
