import assert from 'node:assert/strict';
import { familyTitle, nameInFamily } from '../../../src/display/models.ts';
import { modelRow } from '../../../src/editor/modelsView/modelRow.ts';
import { catalog } from '../../../src/sandbox/catalog.ts';

/** Names of models, the families of a catalog, the titles of the families, and the names below these titles. */
const CASES: readonly (readonly [id: string, family: string | undefined, title: string, name: string])[] = [
  ['familya-sonnet-4.6', 'Family A', 'Family A', 'sonnet-4.6'],
  ['familyb-3-flash-preview', 'family-b', 'Family B', '3-flash-preview'],
  ['familyc-5.4', undefined, 'Family C', '5.4'],
  ['chat-large', undefined, 'Chat', 'large'],
  ['gemma-3', 'other vendor', 'Other vendor', 'gemma-3'],
  ['vendor/familya-opus-4.5', 'Family A', 'Family A', 'vendor/familya-opus-4.5'],
  ['o3-mini', undefined, 'O', 'o3-mini'],
  ['familya', 'Family A', 'Family A', 'familya'],
  ['3', undefined, 'Other', '3'],
];

describe('names of models', () => {
  for (const [id, family, title, name] of CASES) {
    it(`are “${name}” for ${id} below ${title}`, () => {
      assert.equal(familyTitle({ id, family }), title);
      assert.equal(nameInFamily(id, title), name);
    });
  }

  it('are the same below a translated title', () => {
    assert.equal(nameInFamily('familya-sonnet-4.6', 'Familie A'), 'sonnet-4.6');
  });

  it('are different for all models of a family', () => {
    const names = catalog.map((model) => `${familyTitle(model)} ${nameInFamily(model.id, familyTitle(model))}`);
    assert.equal(new Set(names).size, catalog.length);
  });

  it('are whole among favorites, and without the family below its title', () => {
    const facts = { isFavorite: false, isInUse: false, answeredBy: 'the service' };
    const model = { id: 'familyb-3.1-pro', raw: {} };
    assert.equal(modelRow(model, facts, 'favourites').label, 'familyb-3.1-pro');
    assert.equal(modelRow(model, facts, 'family').label, '3.1-pro');
  });
});
