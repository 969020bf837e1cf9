import assert from 'node:assert/strict';
import { whatIf } from '../../../../src/pages/session/sessionReport.ts';
import type { Model } from '../../../../src/service/modelCatalog.ts';
import { row } from '../../editor/sessions/rows.ts';

const cheap: Model = {
  id: 'cheap',
  inputPrice: 1,
  outputPrice: 10,
  cachedInputPrice: 0.1,
  cacheWritePrice: 1.25,
  raw: {},
};
const usage = { inputTokens: 100_000, outputTokens: 1_000, cachedInputTokens: 80_000, cacheWriteTokens: 10_000 };

function near(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual} is not ${expected}`);
}

describe('a session estimated for another model', () => {
  it('has a price range for the same tokens, and the cost of a cold cache when switching now', () => {
    const [only] = whatIf([row({ usage })], [cheap]);
    const input = (10_000 * 1 + 80_000 * 0.1 + 10_000 * 1.25) / 1e6;
    const output = (1_000 * 10) / 1e6;
    near(only?.low, input * 0.9 + output * 0.7);
    near(only?.high, input * 1.1 + output * 1.3);
    near(only?.switchCost, (100_000 * 1.25) / 1e6);
  });

  it('keeps subagents on their models', () => {
    const [only] = whatIf(
      [row({ usage: { inputTokens: 0, outputTokens: 0 } }), row({ agentId: 'x', usage, cost: 0.5 })],
      [cheap],
    );
    assert.deepEqual([only?.low, only?.high], [0.5, 0.5]);
  });

  it('reports a context window that is too small for its largest request', () => {
    const rows = [row({ usage }), row({ usage: { inputTokens: 10, outputTokens: 1 } })];
    assert.equal(whatIf(rows, [{ ...cheap, contextWindow: 64_000 }])[0]?.tooSmall, 64_000);
    assert.equal(whatIf(rows, [{ ...cheap, contextWindow: 200_000 }])[0]?.tooSmall, undefined);
  });

  it('lists at most four models, the most expensive first, without used or unpriced ones', () => {
    const { inputPrice: _, ...unpriced } = cheap;
    const models = [
      { ...cheap, id: 'familya-opus-4.6' },
      { ...unpriced, id: 'unpriced' },
      ...[1, 2, 3, 4, 5].map((times) => ({ ...cheap, id: `m${times}`, inputPrice: times })),
    ];
    assert.deepEqual(
      whatIf([row({ usage })], models).map(({ model }) => model),
      ['m4', 'm3', 'm2', 'm1'],
    );
  });
});
