import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import type { ApiKey } from '../../../src/service/apiKey.ts';
import { parseKey } from '../../../src/service/pastedKey.ts';
import { anyCharacter } from '../../support/anyCharacter.ts';

const SECRET = 'key_9f8e7d6c5b4a39281706f5e4d3c2b1a0';

function parsed(text: string): ApiKey {
  const result = parseKey(text);
  if (!result.ok) throw new Error(result.problem);
  return result.key;
}

function problem(text: string): string {
  const result = parseKey(text);
  if (result.ok) throw new Error('The text was taken for a key.');
  return result.problem;
}

describe('ApiKey', () => {
  describe('extracts a key from pasted text', () => {
    const pastes = [
      SECRET,
      `  ${SECRET}\n`,
      `"${SECRET}"`,
      `'${SECRET}'`,
      `\`${SECRET}\``,
      `“${SECRET}”`,
      `<${SECRET}>`,
      `Bearer ${SECRET}`,
      `bearer  ${SECRET}`,
      `Authorization: Bearer ${SECRET}`,
      `authorization: bearer ${SECRET}`,
      `-H "Authorization: Bearer ${SECRET}"`,
      `x-api-key: ${SECRET}`,
      `MODEL_ACCESS_KEY=${SECRET}`,
      `export MODEL_ACCESS_KEY="${SECRET}"`,
      `set MODEL_ACCESS_KEY=${SECRET}`,
      `$env:MODEL_ACCESS_KEY = "${SECRET}"`,
      `OPENAI_API_KEY='${SECRET}';`,
      `"apiKey": "${SECRET}",`,
      `\ufeff${SECRET}\u200b`,
      `key_9f8e\u200b7d6c5b4a39281706f5e4d3c2b1a0`,
      `key: ${SECRET}`,
    ];
    for (const paste of pastes) {
      it(JSON.stringify(paste), () => assert.equal(parsed(paste).reveal(), SECRET));
    }

    it('keeps padding at the end of a key', () => assert.equal(parsed('key_YWJjZA==').reveal(), 'key_YWJjZA=='));
  });

  describe('explains why a text is not a key', () => {
    const cases: readonly (readonly [text: string, says: RegExp])[] = [
      ['', /no key/],
      ['   ', /no key/],
      ['""', /no key/],
      ['Bearer', /no key/],
      ['MODEL_ACCESS_KEY=', /no key/],
      ['sk-ant-api03-abcdefgh', /Anthropic/],
      ['sk-or-v1-abcdefgh', /OpenRouter/],
      ['sk-proj-abcdefgh', /OpenAI/],
      ['Bearer sk-proj-abcdefgh', /OpenAI/],
      ['ghp_abcdefghijkl', /GitHub/],
      ['https://example.com/api/v1', /web address/],
      ['key_9f8e…b1a0', /masked/],
      ['key_9f8e****b1a0', /masked/],
      ['key_9f8e...b1a0', /masked/],
      ['key_9f8e•••b1a0', /masked/],
      ['key_9f8e 7d6c', /space/],
      ['key_9f8e7d6c\nkey_5b4a3928', /space or a line break/],
      ['key_', /too short/],
      ['key_abc', /too short/],
      ['key_9f8e7d6cé5b4a', /character/],
      ['KEY_9f8e7d6c5b4a', /lowercase/],
      ['key-9f8e7d6c5b4a', /underscore/],
      ['mykey_9f8e7d6c5b4a', /before the key/],
      ['9f8e7d6c5b4a', /not a key for this service/],
      ['key_9f8e7d6ckey_9f8e7d6c', /two keys/],
    ];
    for (const [text, says] of cases) it(JSON.stringify(text), () => assert.match(problem(text), says));

    it('never repeats the text', () => {
      fc.assert(
        fc.property(fc.string({ unit: anyCharacter, minLength: 12 }), (text) => {
          const result = parseKey(`zz${text}zz`);
          assert.ok(result.ok || !result.problem.includes(text));
        }),
      );
    });
  });

  describe('shows no more than the last four characters', () => {
    it('as text, as JSON, in a template and when inspected', () => {
      const key = parsed(SECRET);
      const shown = [String(key), key.toJSON(), `${key}`, inspect(key), inspect({ key }), JSON.stringify({ key })];
      for (const text of shown) {
        assert.ok(text.includes('key_…b1a0'), text);
        assert.ok(!text.includes('9f8e'), text);
      }
      assert.equal(String(key), 'key_…b1a0');
    });

    it('and none of them if the key is short', () => assert.equal(String(parsed('key_abcdefgh')), 'key_…'));

    it('and has no property that contains the secret', () => {
      const key = parsed(SECRET);
      assert.deepEqual(Object.keys(key), []);
      assert.equal(JSON.stringify(Object.getOwnPropertyDescriptors(key)).includes('9f8e'), false);
    });
  });

  it('returns the header for a request', () => assert.equal(parsed(SECRET).authorization, `Bearer ${SECRET}`));

  it('is pasted without the spaces around it', () => assert.equal(parsed(` ${SECRET} `).reveal(), SECRET));

  it('parses any text without throwing', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => typeof parseKey(text).ok === 'boolean'));
  });

  it('does not search a whole file for a key', () => assert.match(problem(`${SECRET}\n`.repeat(100_000)), /too long/));
});
