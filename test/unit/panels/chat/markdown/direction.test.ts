import assert from 'node:assert/strict';
import { directionOf } from '../../../../../src/panels/chat/markdown/direction.ts';

describe('the text direction of a block', () => {
  const cases = [
    ['In English, עברית', 'ltr'],
    ['- **עברית** first', 'rtl'],
    ['1. `code` ثم نص', 'rtl'],
    ['中文', 'ltr'],
    ['12 + 3', 'ltr'],
    ['', 'ltr'],
  ] as const;
  for (const [text, direction] of cases) {
    it(`is ${direction} for “${text}”`, () => assert.equal(directionOf(text), direction));
  }
});
