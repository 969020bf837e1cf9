import assert from 'node:assert/strict';
import { modelRow } from '../../../../src/editor/modelsView/modelRow.ts';

const FACTS = { isFavorite: false, isInUse: false, answeredBy: 'the service' };

describe('a model row', () => {
  it('shows its prices first, without decimals for whole dollars, then its context window', () => {
    const model = { id: 'familya-sonnet-4.6', raw: {}, inputPrice: 3, outputPrice: 15, contextWindow: 200_000 };
    const { label, description } = modelRow(model, FACTS, 'family');
    assert.deepEqual({ label, description }, { label: 'sonnet-4.6', description: '$3/$15 · 200k' });
  });

  it('moves the context window to the child rows if a long name would hide a price in a narrow view', () => {
    const model = { id: 'familyb-3-flash-preview', raw: {}, inputPrice: 0.5, outputPrice: 3, contextWindow: 1_000_000 };
    const { label, description, tooltip, children } = modelRow(model, FACTS, 'favourites');
    assert.deepEqual({ label, description }, { label: 'familyb-3-flash-preview', description: '$0.50/$3' });
    assert.match(String(tooltip), /1,000,000 tokens/);
    assert.ok(children?.some((row) => row.description === '1,000,000 tokens'));
  });

  it('omits what the catalog does not provide', () => {
    assert.equal(modelRow({ id: 'familyd-1', raw: {}, contextWindow: 8000 }, FACTS, 'family').description, '8k');
    assert.equal(modelRow({ id: 'familyd-1', raw: {}, inputPrice: 1.25 }, FACTS, 'family').description, '$1.25/–');
  });

  it('shows the cache prices, with ≈ for those calculated because the catalog has none', () => {
    const model = { id: 'familya-sonnet-4.6', raw: {}, inputPrice: 3, cachedInputPrice: 0.3 };
    const { children = [], tooltip } = modelRow(model, FACTS, 'family');
    const prices = children.filter(({ label }) => label.startsWith('Cache')).map((row) => [row.label, row.description]);
    assert.deepEqual(prices, [
      ['Cache read', '$0.30 per 1M tokens'],
      ['Cache write, 5 min', '≈\u2009$3.75 per 1M tokens'],
      ['Cache write, 1 h', '≈\u2009$6.00 per 1M tokens'],
    ]);
    assert.match(String(tooltip), /Cache write, 1 h/);
    const unpriced = modelRow({ id: 'local', raw: {} }, FACTS, 'family').children ?? [];
    assert.ok(!unpriced.some(({ label }) => label.startsWith('Cache')));
  });

  it('shows the prices of long prompts', () => {
    const longPrompts = [
      { above: 200_000, inputPrice: 6, outputPrice: 22.5 },
      { above: 1_000_000, inputPrice: 9 },
    ];
    const model = { id: 'familya-sonnet-4.6', raw: {}, inputPrice: 3, outputPrice: 15, longPrompts };
    const { children = [] } = modelRow(model, FACTS, 'family');
    const prices = children.filter(({ label }) => label.includes('above')).map((row) => [row.label, row.description]);
    assert.deepEqual(prices, [
      ['Input above 200k', '$6.00 per 1M tokens'],
      ['Output above 200k', '$22.50 per 1M tokens'],
      ['Input above 1M', '$9.00 per 1M tokens'],
    ]);
  });
});
