import assert from 'node:assert/strict';
import type { Model } from '../../../src/service/modelCatalog.ts';
import { smallModel } from '../../../src/service/smallModel.ts';
import { TOOLS } from '../../../src/tools/toolList.ts';

const model = (id: string, price: number | undefined, more: Partial<Model> = {}): Model => ({
  id,
  raw: {},
  contextWindow: 200_000,
  ...(price !== undefined && { inputPrice: price, outputPrice: price * 5 }),
  ...more,
});
const MODELS = [
  model('large', 5),
  model('medium', 3),
  model('small', 1),
  model('short', 0.1, { contextWindow: 8_000 }),
  model('toolless', 0.2, { tools: false }),
  model('unpriced', undefined),
];

describe('the small model of a tool', () => {
  it('is the cheapest model that is suitable for tools', () => {
    assert.equal(smallModel(MODELS, 'large'), 'small');
  });

  it('is undefined if no model is cheaper, or if the price of the main model is unknown', () => {
    assert.equal(smallModel(MODELS, 'small'), undefined);
    assert.equal(smallModel(MODELS, 'unpriced'), undefined);
    assert.equal(smallModel([], 'large'), undefined);
  });

  it('is configured in Claude Code for titles, with the main model for everything else', () => {
    const changes = TOOLS.find(({ id }) => id === 'claude-code')?.configuration?.changes;
    const access = { address: 'http://127.0.0.1:8787/api/v1', secret: 'key_x', model: 'large', contextWindow: 1 };
    const modelsOf = (more: object) =>
      changes?.({ ...access, ...more }).flatMap(({ path, value }) =>
        /_MODEL$/.test(String(path.at(-1))) ? [value] : [],
      );
    assert.deepEqual(modelsOf({ smallModel: 'small' }), ['large', 'large', 'large', 'small']);
    assert.deepEqual(modelsOf({}), ['large', 'large', 'large', 'large']);
  });

  it('is configured with the headers that distinguish titles and subagents', () => {
    const changes = TOOLS.find(({ id }) => id === 'claude-code')?.configuration?.changes;
    const access = { address: 'http://127.0.0.1:8787/api/v1', secret: 'key_x', model: 'large', contextWindow: 1 };
    const hints = changes?.(access).filter(({ path }) => path.at(-1) === 'CLAUDE_CODE_GATEWAY_HINT_HEADERS');
    assert.deepEqual(
      hints?.map(({ path, value }) => [path, value]),
      [[['env', 'CLAUDE_CODE_GATEWAY_HINT_HEADERS'], '1']],
    );
  });
});
