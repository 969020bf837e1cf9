import assert from 'node:assert/strict';
import { shortModelName } from '../../../src/display/models.ts';
import { modelRow } from '../../../src/editor/modelsView/modelRow.ts';
import { catalog } from '../../../src/sandbox/catalog.ts';

describe('short model names', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['familya-sonnet-4.6', 'sonnet-4.6'],
    ['familya-haiku-4.5', 'haiku-4.5'],
    ['familyc-5.4', 'familyc-5.4'],
    ['familyc-5.3-codex', 'familyc-5.3-codex'],
    ['familyb-3-flash-preview', 'familyb-3-flash-preview'],
    ['familyd-code-fast-1', 'code-fast-1'],
    ['vendor/familya-opus-4.5', 'opus-4.5'],
    ['chat-large', 'chat-large'],
    ['o3-mini', 'o3-mini'],
    ['model/', 'model/'],
    ['', ''],
  ];
  /** All names of the specification's catalog, which the sandbox has, with the names that lists and buttons show. */
  const SHOWN: Readonly<Record<string, string>> = {
    'familya-haiku-4.5': 'haiku-4.5',
    'familya-opus-4.5': 'opus-4.5',
    'familya-opus-4.6': 'opus-4.6',
    'familya-sonnet-4.5': 'sonnet-4.5',
    'familya-sonnet-4.6': 'sonnet-4.6',
    'familyb-3-flash-preview': 'familyb-3-flash-preview',
    'familyb-3-pro-preview': 'familyb-3-pro-preview',
    'familyb-3.1-pro': 'familyb-3.1-pro',
    'familyc-5.3-codex': 'familyc-5.3-codex',
    'familyc-5.4': 'familyc-5.4',
    'familyd-code-fast-1': 'code-fast-1',
  };

  it('are clear for all models of the catalog, and different for each', () => {
    assert.deepEqual(Object.fromEntries(catalog.map(({ id }) => [id, shortModelName(id)])), SHOWN);
    assert.equal(new Set(Object.values(SHOWN)).size, catalog.length);
  });

  it('are the same in the list of models, in favorites and in families', () => {
    const facts = { isFavorite: false, isInUse: false, answeredBy: 'the service' };
    for (const [id, name] of Object.entries(SHOWN)) {
      for (const group of ['favourites', 'family'] as const) {
        assert.equal(modelRow({ id, raw: {} }, facts, group).label, name);
      }
    }
  });

  for (const [id, name] of cases) {
    it(`shortens "${id}" to "${name}"`, () => assert.equal(shortModelName(id), name));
  }
});
