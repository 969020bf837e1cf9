import assert from 'node:assert/strict';
import { familyOf } from '../../../src/tokens/modelFamily.ts';

describe('the model family', () => {
  for (const model of [
    'familyc-5.4',
    'familyc-5.3-codex',
    'gpt-4o-mini',
    'gpt-5',
    'o3-mini',
    'o1',
    'openai/gpt-oss-20b',
  ]) {
    it(`has a public tokenizer for ${model}`, () => {
      const { isPublic, factor } = familyOf(model);
      assert.deepEqual({ isPublic, factor }, { isPublic: true, factor: 1 });
    });
  }

  for (const model of [
    'familya-opus-4.6',
    'familyb-3-pro-preview',
    'familyd-code-fast-1',
    'gpt-4',
    'gpt-3.5-turbo',
    'o2',
    'x',
  ]) {
    it(`has none for ${model}, and estimates at least as many tokens`, () => {
      const { isPublic, factor } = familyOf(model);
      assert.equal(isPublic, false);
      assert.ok(factor >= 1 && factor < 1.5);
    });
  }

  it('is recognized after a vendor name and in uppercase', () => {
    assert.equal(familyOf('vendor/FamilyA-Haiku-4.5'), familyOf('familya-opus-4.5'));
  });
});
