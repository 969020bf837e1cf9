import assert from 'node:assert/strict';
import { shortModelName } from '../../../src/display/models.ts';

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
  for (const [id, name] of cases) {
    it(`shortens "${id}" to "${name}"`, () => assert.equal(shortModelName(id), name));
  }
});
