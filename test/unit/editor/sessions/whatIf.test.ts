import assert from 'node:assert/strict';
import { whatIf } from '../../../../src/editor/sessions/whatIf.ts';
import type { Model } from '../../../../src/service/modelCatalog.ts';
import { row } from './rows.ts';

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

describe('a session on another model', () => {
  it('is a range of the same tokens at other prices, and of a cold start when switched now', () => {
    const [only] = whatIf([row({ usage })], [cheap]);
    const input = (10_000 * 1 + 80_000 * 0.1 + 10_000 * 1.25) / 1e6;
    const output = (1_000 * 10) / 1e6;
    near(only?.low, input * 0.9 + output * 0.7);
    near(only?.high, input * 1.1 + output * 1.3);
    near(only?.switchCost, (100_000 * 1.25) / 1e6);
  });

  it('leaves subagents on theirs', () => {
    const [only] = whatIf(
      [row({ usage: { inputTokens: 0, outputTokens: 0 } }), row({ agentId: 'x', usage, cost: 0.5 })],
      [cheap],
    );
    assert.deepEqual([only?.low, only?.high], [0.5, 0.5]);
  });

  it('says which window is too small for its largest request', () => {
    const rows = [row({ usage }), row({ usage: { inputTokens: 10, outputTokens: 1 } })];
    assert.equal(whatIf(rows, [{ ...cheap, contextWindow: 64_000 }])[0]?.tooSmall, 64_000);
    assert.equal(whatIf(rows, [{ ...cheap, contextWindow: 200_000 }])[0]?.tooSmall, undefined);
  });

  it('is that of four models at most, the most expensive first, and of none that was used or has no price', () => {
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
