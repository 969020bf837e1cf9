import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import tokens from 'gpt-tokenizer/bpeRanks/o200k_base';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { Tokenizer } from '../../../../src/gateway/counting/tokenizer.ts';
import { Vocabulary } from '../../../../src/gateway/counting/vocabulary.ts';
import { anyCharacter } from '../../../support/anyCharacter.ts';
import { runs } from '../../../support/randomRuns.ts';

const SOURCE = readFileSync(new URL('../../../../src/gateway/counting/tokenizer.ts', import.meta.url), 'utf8');
const PACKED = readFileSync(new URL('../../../../src/gateway/counting/o200k.br', import.meta.url));

/** Returns gpt-tokenizer's count, with the names of special tokens as text, as in prompts. */
function expected(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() });
}

describe('the vocabulary', () => {
  const vocabulary = new Vocabulary(PACKED);

  it('is the same as in the public package, token for token', () => {
    assert.equal(vocabulary.size, tokens.length);
    for (const [rank, token] of tokens.entries()) {
      const bytes = Buffer.from(token as string);
      if (!bytes.equals(vocabulary.token(rank))) assert.fail(`rank ${rank}`);
      assert.equal(vocabulary.rank(bytes, 0, bytes.length), rank);
    }
  });

  it('does not contain byte sequences that are not tokens', () => {
    const bytes = Buffer.from('zqxjkvbzqxjkvb');
    assert.equal(vocabulary.rank(bytes, 0, bytes.length), -1);
    assert.equal(vocabulary.rank(new Uint8Array(1000), 0, 1000), -1);
  });
});

describe('the tokenizer', () => {
  const tokenizer = new Tokenizer(PACKED);

  for (const [kind, text] of [
    ['nothing', ''],
    ['a word', 'hello'],
    ['prose', "It's one prepaid key for eleven models; they've three formats, and WE'LL translate."],
    ['code', SOURCE],
    ['JSON', JSON.stringify({ a: [1, 2.5e-7, true, null], 'b c': { d: 'e\n"f"' } }, null, 2)],
    ['numbers', '3.14159265358979 2026-11-21 0xdeadbeef 1,234,567'],
    ['spaces and line breaks', '  a\n\n\n\tb  \r\n   \r\n c   '],
    ['German', 'Die Geschwindigkeitsbegrenzung gilt für alle Fahrzeuge.'],
    ['Chinese', '今天天气很好，我们一起去公园散步吧。'],
    ['Japanese and Korean', 'カタカナとひらがな、그리고 한국어'],
    ['Arabic and Hindi', 'مرحبا بالعالم नमस्ते दुनिया'],
    ['emoji', '🙂👩‍👩‍👧‍👦🏳️‍🌈 ✈️'],
    ['half an emoji', 'a\ud83db\ude42'],
    ['names of special tokens', '<|endoftext|> and <|im_start|>'],
    ['control characters', '\u0000\u0001\u001b[31m\u00a0\u2028'],
  ] as const) {
    it(`counts ${kind} like the public package`, () => {
      assert.equal(tokenizer.count(text), expected(text));
    });
  }

  it('counts any text like the public package', () => {
    const word = fc.constantFrom(
      ' ',
      '\n',
      '\r\n',
      "'ll",
      'Hello',
      ' world',
      '123',
      '漢',
      'é',
      'Ａ',
      '://',
      '\t',
      '🙂',
    );
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.array(word, { maxLength: 60 }).map((words) => words.join('')),
    );
    fc.assert(
      // The package loses a byte order mark when it looks up bytes.
      fc.property(text, (any) => any.includes('\ufeff') || tokenizer.count(any) === expected(any)),
      { numRuns: runs(100) },
    );
  });

  it('counts texts of many lines like the public package, although it splits them', () => {
    const text = SOURCE.repeat(60);
    assert.ok(text.length > 200_000);
    assert.equal(tokenizer.count(text), expected(text));
  });

  it('is at most a few tokens off for a long text without line breaks', () => {
    const text = 'word 漢字 🙂 '.repeat(20_000);
    assert.ok(Math.abs(tokenizer.count(text) - expected(text)) <= 5);
  });

  it('counts megabytes without a space, which overflow the stack of regular expressions', () => {
    assert.equal(tokenizer.count('a'.repeat(1_000_000)), 125_000);
    const tokens = tokenizer.count('漢'.repeat(1_000_000));
    assert.ok(tokens > 900_000 && tokens <= 1_000_000, String(tokens));
  });
});
