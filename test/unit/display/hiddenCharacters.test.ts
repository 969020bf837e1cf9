import assert from 'node:assert/strict';
import { firstHidden, nameWithHidden, withHiddenNamed } from '../../../src/display/hiddenCharacters.ts';

describe('text in a question', () => {
  it('names characters that are not seen or change the order', () => {
    const text = 'a\u202eb\u200bc\u001b[8md\re\u{e0041}f\u2028g\u3164h\u0000';
    assert.equal(withHiddenNamed(text), 'a[U+202E]b[U+200B]c[U+001B][8md[U+000D]e[U+E0041]f[U+2028]g[U+3164]h[U+0000]');
    assert.equal(firstHidden(text), '\u202e');
  });

  it('leaves everything else as it is, also line breaks and tabs', () => {
    const text = 'Größe 漢字 ✔ مرحبا\n\tnext';
    assert.equal(withHiddenNamed(text), text);
    assert.equal(firstHidden(text), undefined);
  });

  it('names line breaks too in a name, so that it cannot look like another text', () => {
    assert.equal(nameWithHidden('a.txt\nb:\tno key\u202e'), 'a.txt[U+000A]b:[U+0009]no key[U+202E]');
  });
});
