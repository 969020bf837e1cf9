import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KeyMask } from '../../../../src/gateway/core/keyMask.ts';
import { split, splits } from '../../formats/streams.ts';

const KEY = 'key_kkey_key_0123';

function passed(pieces: readonly Uint8Array[]): string {
  const stream = KeyMask.of(KEY)?.stream();
  assert.ok(stream);
  const sent = [...pieces.map((piece) => stream.push(Buffer.from(piece))), stream.end() ?? Buffer.of()];
  return Buffer.concat(sent).toString();
}

const words = fc.array(fc.constantFrom(KEY, KEY.slice(0, 9), 'k', 'key_', 'über', '\n\n'), { maxLength: 20 });

describe('masking of keys', () => {
  it('removes a key from a stream, wherever the stream is split, and nothing else', () => {
    const property = fc.property(words, splits, (said, sizes) => {
      // Two of them side by side could form most of a key.
      const text = `${said.join(' ')}.`;
      const masked = text.replaceAll(KEY, '......key_...0123');
      assert.equal(passed(split(new TextEncoder().encode(text), sizes)), masked);
    });
    fc.assert(property);
  });

  it('removes a key whose slashes are escaped, as some servers do in JSON, wherever they are', () => {
    for (const key of [
      'key_Up5tream-s3cret/key+0123456789==',
      'key_0123/456/789/abc/def/ghi/jkl',
      '/0123456789abcdef',
    ]) {
      const escaped = key.replaceAll('/', '\\/');
      for (let before = 0; before < key.length; before++) {
        const text = `{"a":"${'x'.repeat(before)} ${escaped}"}`;
        const masked = KeyMask.of(key)?.body(Buffer.from(text)).toString() ?? '';
        assert.ok(!masked.includes(escaped), masked);
        assert.equal(masked.length, text.length);
      }
    }
  });

  it('removes a key far from the beginning, and across chunk boundaries', () => {
    const before = 'x'.repeat(100_000);
    for (const cut of [0, 1, 8, KEY.length - 1]) {
      const pieces = [before + KEY.slice(0, cut), `${KEY.slice(cut)} and more`].map((text) => Buffer.from(text));
      assert.equal(passed(pieces), `${before}......key_...0123 and more`);
    }
  });

  // An upstream could keep the gateway busy for seconds with a megabyte of such a text.
  for (const piece of ['%', '&#', '&amp;', '&lowbar;', 'key_canary', '\\u005f']) {
    it(`compares ${piece} without creating a view of the bytes each time`, () => {
      const text = Buffer.from(piece.repeat(10_000));
      let views = 0;
      text.subarray = (...range) => {
        views += 1;
        return Buffer.prototype.subarray.apply(text, range);
      };
      assert.equal(KeyMask.of('key_canary-0f8e1d2c3b4a5968')?.body(text), text);
      assert.ok(views < 10, `${views} views`);
    });
  }

  describe('a key written', () => {
    const escaped = (backslashes: number) => (character: string) =>
      `${'\\'.repeat(backslashes)}u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const each = (spell: (character: string) => string) => [...KEY].map(spell).join('');
    const base64 = (before: string) => Buffer.from(`${before}${KEY}-and-more`).toString('base64');
    /** Encodings that may occur in bytes, and how a reader of each would decode the key. */
    const spellings: Readonly<Record<string, string>> = {
      'with one escape of JSON': KEY.replace('_', '\\u005f'),
      'with escapes of JSON alone': each(escaped(1)),
      'as JSON within JSON': each(escaped(2)),
      'as an address': KEY.replace('_', '%5F'),
      'as an address, each character': each((character) => `%${character.charCodeAt(0).toString(16)}`),
      'as an address within one': each((character) => `%25${character.charCodeAt(0).toString(16)}`),
      'with entities that do not end': each((character) => `&#${character.charCodeAt(0)}`),
      'with an entity': KEY.replaceAll('_', '&#95;'),
      'with named entities': KEY.replace('_', '&lowbar;').replace('_', '&UnderBar;'),
      'with an entity within an entity': KEY.replace('_', '&amp;lowbar;').replace('_', '&#38;amp;#95;'),
      'with entities of other digits': each((character) => `&#x00${character.charCodeAt(0).toString(16)};`),
      'in base64': base64(''),
      'in base64 behind one character': base64('a'),
      'in base64 behind two': base64('ab'),
      'without its end': KEY.slice(0, 12),
      'without its beginning': KEY.slice(-12),
    };
    for (const [how, spelt] of Object.entries(spellings)) {
      it(`${how} is masked, wherever the stream is split`, () => {
        const text = `{"a":"before ${spelt}"}\n\n`;
        // A key without its beginning is recognized by its middle, which must not be split.
        const cuts =
          how === 'without its beginning' ? [0, text.length] : Array.from({ length: text.length }, (_, at) => at);
        for (const at of cuts) {
          const said = passed([text.slice(0, at), text.slice(at)].map((piece) => Buffer.from(piece)));
          assert.equal(said.length, text.length);
          assert.ok(!said.includes(spelt.slice(2, -2)), `${at}: ${said}`);
          assert.match(said, /^\{"a":"before /);
        }
      });
    }

    it('is not found in other text with escapes', () => {
      for (const text of [
        '100%',
        'a &#38; b',
        '\\u00e4',
        '%6bey',
        'key_kkey_',
        '\\'.repeat(100_000),
        '%'.repeat(1_000),
      ]) {
        assert.equal(passed([Buffer.from(text)]), text);
      }
    });
  });

  it('returns each chunk unchanged if there is nothing to mask', () => {
    const piece = Buffer.from('data: {"text":"no key"}\n\n');
    assert.equal(KeyMask.of(KEY)?.stream().push(piece), piece);
  });

  it('holds back no more than a possible beginning of a key', () => {
    const stream = KeyMask.of(KEY)?.stream();
    assert.equal(stream?.push(Buffer.from('a key_k')).toString(), 'a ');
    assert.equal(stream?.push(Buffer.from(' b')).toString(), 'key_k b');
  });

  it('hides most of a key if a stream ends within it', () => {
    const end = passed([Buffer.from(`x ${KEY.slice(0, -1)}`)]);
    assert.ok(!end.includes(KEY.slice(0, 9)), end);
  });

  it('ignores placeholder words that are not keys', () => {
    for (const word of [undefined, '', 'none', 'ollama', 'lm-studio']) assert.equal(KeyMask.of(word), undefined);
  });

  it('applies to every header that contains the key', () => {
    const headers = { a: `Bearer ${KEY}`, b: ['x', KEY], c: 'c', d: 1 };
    assert.deepEqual(KeyMask.of(KEY)?.headers(headers), {
      a: 'Bearer ......key_...0123',
      b: ['x', '......key_...0123'],
      c: 'c',
      d: 1,
    });
    const clean = { c: 'c' };
    assert.equal(KeyMask.of(KEY)?.headers(clean), clean);
  });
});

describe('the name of a header', () => {
  it('is not forwarded, with its value, if it contains the key', () => {
    const mask = KeyMask.of('key_AbcDef_0123456789');
    const others = { 'content-type': 'text/plain', 'x-ratelimit-remaining-requests': '1' };
    const quoting = { key_abcdef_0123456789: 'a', 'x-key_abcdef_0123456789-used': 'a', key_abcdef_01234: 'a' };
    assert.deepEqual(mask?.headers({ ...others, ...quoting }), others);
    assert.equal(mask?.headers(others), others);
  });
});
