import assert from 'node:assert/strict';
import { readyRoutes } from '../../../../src/pages/routes/readyRoutes.ts';
import { readForms } from '../../../../src/pages/routes/routeForms.ts';
import type { Model } from '../../../../src/service/modelCatalog.ts';

function model(id: string, family: string, inputPrice: number, outputPrice: number, contextWindow = 200_000): Model {
  return { id, family, inputPrice, outputPrice, contextWindow, raw: {} };
}

const MODELS = [
  model('a-small', 'a', 1, 5),
  model('a-large', 'a', 3, 15),
  model('b-long', 'b', 2, 12, 1_000_000),
  model('c-other', 'c', 9, 40),
];

describe('ready-made routes', () => {
  const routesOf = (usual: string, models = MODELS) =>
    Object.fromEntries(readyRoutes(models, usual).map(({ form }) => [form.name, form]));

  it('give short requests the cheapest model, long ones the largest window, and failures another vendor', () => {
    const routes = routesOf('a-large');
    assert.deepEqual(routes['cheaper-when-short']?.use, ['a-large']);
    assert.deepEqual(routes['cheaper-when-short']?.when[0]?.use, ['a-small']);
    assert.deepEqual(routes['larger-when-long']?.use, ['a-large', 'b-long']);
    assert.deepEqual(routes['larger-when-long']?.also, ['overflow']);
    assert.deepEqual(routes['second-vendor']?.use, ['a-large', 'b-long']);
  });

  it('can be saved as they are', () => {
    const forms = readyRoutes(MODELS, 'a-large').map(({ form }) => form);
    const known = { upstreams: [{ id: 'hosted', models: ['*'] }], aliases: {}, models: MODELS.map(({ id }) => id) };
    const { problems, routes } = readForms(forms, known as never);
    assert.deepEqual(problems, []);
    assert.deepEqual(routes?.['cheaper-when-short']?.when, [{ tokensBelow: 8_000, use: ['a-small'] }]);
  });

  it('are left out where the catalog has no model for them', () => {
    assert.deepEqual(Object.keys(routesOf('a-small', MODELS.slice(0, 1))), []);
    assert.deepEqual(readyRoutes([], 'a'), []);
  });
});
