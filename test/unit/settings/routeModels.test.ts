import assert from 'node:assert/strict';
import type { Model } from '../../../src/service/modelCatalog.ts';
import { routeModels } from '../../../src/settings/routeModels.ts';
import { readUpstreamList } from '../../../src/settings/upstreamList.ts';

const CATALOG: readonly Model[] = [
  { id: 'small', contextWindow: 8000, maxOutputTokens: 500, inputPrice: 1, outputPrice: 20, tools: false, raw: {} },
  { id: 'large', contextWindow: 90_000, maxOutputTokens: 900, inputPrice: 3, outputPrice: 15, tools: true, raw: {} },
];
const { upstreams } = readUpstreamList([
  { id: 'local', baseUrl: 'http://127.0.0.1:1/v1', formats: ['chat-completions'], models: ['qwen'] },
  {
    id: 'paid',
    baseUrl: 'https://example.com/v1',
    formats: ['messages'],
    models: ['big*'],
    prices: { 'big*': { input: 9, output: 30 } },
  },
]);

describe('the routes of the settings as models', () => {
  const modelsOf = (routes: unknown) =>
    routeModels(routes, {
      known: { upstreams: [...upstreams, { id: 'hosted', models: ['*'] }], aliases: { quick: 'small' } },
      upstreams,
      catalog: CATALOG,
    });

  it('cost as much as the most expensive model, in input and in output', () => {
    const [model] = modelsOf({ mine: { use: ['small'], when: [{ image: true, use: ['large'] }] } });
    assert.deepEqual([model?.id, model?.inputPrice, model?.outputPrice], ['mine', 3, 20]);
    assert.deepEqual(model?.targets, ['small', 'large']);
    const [paid] = modelsOf({ mine: { use: ['quick', 'paid/big-1'] } });
    assert.deepEqual([paid?.inputPrice, paid?.targets], [9, ['small', 'paid/big-1']]);
  });

  it('have no price if none of their models has one', () => {
    const [model] = modelsOf({ mine: { use: ['local/qwen'] } });
    assert.deepEqual([model?.inputPrice, model?.targets], [undefined, ['local/qwen']]);
  });

  it('have the window of the first model, unless longer requests go to another one', () => {
    const windowOf = (route: object) => modelsOf({ mine: { use: ['small', 'large'], ...route } })[0]?.contextWindow;
    assert.equal(windowOf({}), 8000);
    assert.equal(windowOf({ also: ['overflow'] }), 90_000);
    assert.equal(windowOf({ when: [{ tokensAbove: 7000, use: ['large'] }] }), 90_000);
  });

  it('can do what one of their models can, with answers that all of them can write', () => {
    const [model] = modelsOf({ mine: { use: ['small', 'large'] } });
    assert.deepEqual([model?.tools, model?.maxOutputTokens], [true, 500]);
    assert.equal(modelsOf({ mine: { use: ['small'] } })[0]?.tools, false);
  });

  it('are none if one of them refers to itself or to an unknown name', () => {
    assert.deepEqual(modelsOf({ mine: { use: ['mine'] } }), []);
    assert.deepEqual(modelsOf('nonsense'), []);
  });
});
