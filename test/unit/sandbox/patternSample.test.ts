import assert from 'node:assert/strict';
import { patternSample } from '../../../src/sandbox/patternSample.ts';

describe('a sample for a pattern', () => {
  for (const pattern of [
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^[a-z][a-z0-9_-]*$',
    '^(?:GET|POST)$',
    '^[^\\s/]+/[^\\s/]+$',
    '^#[0-9A-Fa-f]{6}$',
    '^(\\w+)@(\\w+)\\.com$',
    '^[A-Z]{2,}[\\d.]{1,3}$',
    '^\\/[\\w.\\/-]+$',
    '^(?<year>\\d{4})\\x2d\\u0041?$',
    '^[^a-zA-Z0-9]$',
    '^a{0}b$',
    '^.{3}\\b',
    'x+?y*?',
    '',
  ]) {
    it(`matches ${pattern}`, () => {
      assert.match(patternSample(pattern) ?? 'none', new RegExp(pattern, 'u'));
    });
  }

  for (const pattern of [
    '(?=a)',
    '(?<!a)b',
    '(a)\\1',
    '\\p{L}',
    '[',
    '(',
    'a)',
    '*',
    'a{',
    '\\',
    '[\\s\\S'.repeat(2),
  ]) {
    it(`is not generated for ${pattern}`, () => {
      assert.equal(patternSample(pattern), undefined);
    });
  }

  it('is generated within limits only', () => {
    assert.equal(patternSample('(a{1000}){1000}'), undefined);
    assert.equal(patternSample('('.repeat(1_000)), undefined);
    assert.equal(patternSample('a'.repeat(100_000)), undefined);
  });
});
