import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  approximately,
  formatShare,
  formatTokens,
  formatTokensExact,
  formatWindow,
  spokenShare,
  spokenTokens,
} from '../../../src/display/tokens.ts';

describe('token counts', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, '0'],
    [1, '1'],
    [999, '999'],
    [1000, '1.0k'],
    [1234, '1.2k'],
    [12_800, '12.8k'],
    [99_949, '99.9k'],
    [99_950, '100k'],
    [148_200, '148k'],
    [999_499, '999k'],
    [999_500, '1.0M'],
    [1_300_000, '1.3M'],
    [212_000_000, '212M'],
    [1_500_000_000, '1.5B'],
  ];
  for (const [tokens, text] of cases) {
    it(`shows ${tokens} as ${text}`, () => assert.equal(formatTokens(tokens), text));
  }

  it('groups exact counts with commas', () => assert.equal(formatTokensExact(1284), '1,284'));

  it('drops a zero decimal from context windows and limits', () => {
    assert.equal(formatWindow(200_000), '200k');
    assert.equal(formatWindow(1_000_000), '1M');
    assert.equal(formatWindow(1_048_576), '1M');
    assert.equal(formatWindow(12_000), '12k');
    assert.equal(formatWindow(8192), '8.2k');
  });

  it('starts with the estimate sign and a thin space', () => assert.equal(approximately('900'), '≈\u2009900'));

  it('stays within 5 percent of the count and takes at most five characters', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000_000), (tokens) => {
        const text = formatTokens(tokens);
        const unit = { k: 1e3, M: 1e6, B: 1e9 }[text.at(-1) ?? ''] ?? 1;
        const shown = Number.parseFloat(text) * unit;
        assert.ok(text.length <= 5, text);
        assert.ok(Math.abs(shown - tokens) <= tokens * 0.05, `${tokens} as ${text}`);
      }),
    );
  });

  it('never shows a larger count as a smaller one', () => {
    const value = (tokens: number) => Number(spokenTokens(tokens).replace(/\D/g, ''));
    fc.assert(
      fc.property(fc.nat(5_000_000), fc.nat(5_000_000), (a, b) => {
        assert.ok(value(Math.min(a, b)) <= value(Math.max(a, b)));
      }),
    );
  });
});

describe('percentages', () => {
  it('are whole numbers', () => {
    assert.equal(formatShare(0), '0%');
    assert.equal(formatShare(0.064), '6%');
    assert.equal(formatShare(1), '100%');
    assert.equal(formatShare(1.06), '106%');
  });

  it('never show an overflow as 100 percent or a positive share as 0 percent', () => {
    assert.equal(formatShare(0.999), '99%');
    assert.equal(formatShare(1.001), '101%');
    assert.equal(formatShare(0.002), '<\u20091%');
  });

  it('have a form for screen readers', () => {
    assert.equal(spokenShare(0.064), '6 percent');
    assert.equal(spokenShare(0.002), 'under 1 percent');
  });
});

describe('token counts for screen readers', () => {
  it('are as exact as the visible counts', () => {
    assert.equal(spokenTokens(1), '1 token');
    assert.equal(spokenTokens(702), '702 tokens');
    assert.equal(spokenTokens(12_834), '12,800 tokens');
    assert.equal(spokenTokens(148_234), '148,000 tokens');
  });
});
