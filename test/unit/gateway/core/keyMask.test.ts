import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KeyMask } from '../../../../src/gateway/core/keyMask.ts';
import { runs } from '../../../support/randomRuns.ts';
import { split, splits } from '../../formats/streams.ts';

const KEY = 'key_kkey_key_0123';

/** A stream whose methods return what they pass on. */
function streamOf(key: string) {
  let sent: Buffer[] = [];
  const stream = KeyMask.of(key)?.stream({ data: (chunk) => sent.push(chunk) > 0 });
  assert.ok(stream);
  const passedOn = (): Buffer => {
    const [first = Buffer.of(), ...others] = sent;
    sent = [];
    return others.length === 0 ? first : Buffer.concat([first, ...others]);
  };
  return {
    push: (chunk: Buffer) => {
      stream.data(chunk);
      return passedOn();
    },
    end: () => {
      stream.end();
      return passedOn();
    },
    isHolding: () => stream.isHolding,
  };
}

function passed(pieces: readonly Uint8Array[]): string {
  const stream = streamOf(KEY);
  return Buffer.concat([...pieces.map((piece) => stream.push(Buffer.from(piece))), stream.end()]).toString();
}

/** An error, which arrives whole. */
function shown(error: string): string {
  return KeyMask.of(KEY)?.error(Buffer.from(error)).toString() ?? '';
}

const words = fc.array(fc.constantFrom(KEY, KEY.slice(0, 9), 'k', 'key_', 'über', '\n\n'), { maxLength: 20 });

describe('masking of keys', () => {
  it('removes a key from a successful answer, wherever the stream is split, and nothing else', () => {
    const property = fc.property(words, splits, (said, sizes) => {
      // Two of them side by side could form most of a key.
      const text = `${said.join(' ')}.`;
      const masked = text.replaceAll(KEY, '......key_...0123');
      assert.equal(passed(split(Buffer.from(text), sizes)), masked);
    });
    fc.assert(property);
  });

  it('removes a key whose slashes are escaped, as some servers do in JSON, wherever they are and the answer is split', () => {
    for (const key of [
      'key_Up5tream-s3cret/key+0123456789==',
      'key_0123/456/789/abc/def/ghi/jkl',
      '/0123456789abcdef',
    ]) {
      const escaped = key.replaceAll('/', '\\/');
      const mask = KeyMask.of(key) as KeyMask;
      for (let cut = 0; cut < key.length + 8; cut++) {
        const text = `{"a":"xx ${escaped}"}`;
        const stream = streamOf(key);
        const pieces = [text.slice(0, cut), text.slice(cut)].map((piece) => stream.push(Buffer.from(piece)));
        const masked = Buffer.concat([...pieces, stream.end()]).toString();
        for (const said of [masked, mask.error(Buffer.from(text)).toString()]) {
          assert.equal(said, `{"a":"xx ${'.'.repeat(escaped.length)}"}`);
        }
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
  for (const piece of ['key_canary', '\\u005f', '\\']) {
    it(`compares ${piece} without creating a view of the bytes each time`, () => {
      const text = Buffer.from(piece.repeat(10_000));
      let views = 0;
      text.subarray = (...range) => {
        views += 1;
        return Buffer.prototype.subarray.apply(text, range);
      };
      assert.equal(KeyMask.of('key_canary-0f8e1d2c3b4a5968')?.error(text), text);
      assert.ok(views < 10, `${views} views`);
    });
  }

  describe('a key written', () => {
    const escaped = (backslashes: number) => (character: string) =>
      `${'\\'.repeat(backslashes)}u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const each = (spell: (character: string) => string) => [...KEY].map(spell).join('');
    const base64 = (before: string) => Buffer.from(`${before}${KEY}-and-more`).toString('base64');
    /** How a successful answer may contain the key. */
    const plain: Readonly<Record<string, string>> = {
      'as it is': KEY,
      'with one escape of JSON': KEY.replace('_', '\\u005f'),
      'with an escape of JSON in capitals': KEY.replace('_', '\\u005F'),
      'with escapes of JSON alone': each(escaped(1)),
      'without its end': KEY.slice(0, 12),
      'without its end, in escapes of JSON': [...KEY.slice(0, 13)].map(escaped(1)).join(''),
    };
    /** How an error may, and how a reader of each would decode it. */
    const encoded: Readonly<Record<string, string>> = {
      'as JSON within JSON': each(escaped(2)),
      'as JSON within JSON within JSON': each(escaped(4)),
      'in base64': base64(''),
      'in base64 behind one character': base64('a'),
      'in base64 behind two': base64('ab'),
    };

    for (const [how, spelt] of Object.entries(plain)) {
      it(`${how} is masked in a successful answer, wherever it is split`, () => {
        const text = `{"a":"before ${spelt}"}\n\n`;
        for (let at = 0; at < text.length; at += 1) {
          const said = passed([text.slice(0, at), text.slice(at)].map((piece) => Buffer.from(piece)));
          assert.equal(said.length, text.length);
          assert.ok(!said.includes(spelt.slice(2, -2)), `${at}: ${said}`);
          assert.match(said, /^\{"a":"before [.\w]+"\}\n\n$/);
        }
      });
    }

    for (const [how, spelt] of Object.entries({ ...plain, ...encoded })) {
      it(`${how} is masked in an error`, () => {
        const text = `{"a":"before ${spelt}"}\n\n`;
        const said = shown(text);
        assert.equal(said.length, text.length);
        assert.ok(!said.includes(spelt.slice(2, -2)), said);
        assert.match(said, /^\{"a":"before [^&%\\]+"\}\n\n$/);
      });
    }

    for (const [how, spelt] of Object.entries(encoded).filter(([name]) => name.startsWith('in base64'))) {
      it(`${how} passes in a successful answer, whose upstream is trusted with its key`, () => {
        const text = `{"a":"before ${spelt}"}\n\n`;
        assert.equal(passed([Buffer.from(text)]), text);
      });
    }

    it('in JSON within JSON is masked in an error, and nothing else', () => {
      const property = fc.property(
        fc.nat({ max: 3 }),
        fc.constantFrom(KEY, 'key_a/b"c&d\\e_0123456'),
        (levels, key) => {
          const nested = Array.from({ length: levels });
          const written = nested.reduce((text: string) => JSON.stringify(text).slice(1, -1), `a ${key} z`);
          const masked = KeyMask.of(key)?.text(written) ?? '';
          assert.equal(masked.length, written.length);
          const read = nested.reduce((text: string) => JSON.parse(`"${text}"`), masked);
          assert.match(read, /^a \.+(?:key_\.{3}.{4})? z$/, `${written} ${masked}`);
        },
      );
      fc.assert(property, { numRuns: runs(200) });
    });

    it('is not found in other text with escapes', () => {
      for (const text of [
        '100%',
        'a &#38; b',
        '\\u00e4',
        '%6bey',
        'key_kkey_',
        '\\'.repeat(100_000),
        '%'.repeat(1_000),
        '&#'.repeat(1_000),
        '&#99999999;',
      ]) {
        assert.equal(passed([Buffer.from(text)]), text);
        assert.equal(shown(text), text);
      }
    });
  });

  it('returns each chunk unchanged if there is nothing to mask', () => {
    const piece = Buffer.from('data: {"text":"no key"}\n\n');
    assert.equal(streamOf(KEY).push(piece), piece);
  });

  it('holds back no more than a possible beginning of a key', () => {
    const stream = streamOf(KEY);
    assert.equal(stream.push(Buffer.from('a key_k')).toString(), 'a ');
    assert.equal(stream.push(Buffer.from(' b')).toString(), 'key_k b');
  });

  it('masks all of a key whose end could be its beginning', () => {
    const key = 'abcabcabcabcabcabc';
    const stream = streamOf(key);
    const sent = [...`x ${key}`].map((character) => stream.push(Buffer.from(character)).toString());
    assert.equal([...sent, stream.end()].join(''), 'x .......key_...cabc');
    const whole = streamOf(key);
    const pieces = [whole.push(Buffer.from(`x ${key}`)), whole.push(Buffer.from('!'))];
    assert.equal(pieces.join(''), 'x .......key_...cabc!');
  });

  it('searches a chunk without the key twice, and copies nothing', () => {
    const chunk = Buffer.from(`data: {"text":"${'x \\u00e4'.repeat(20)}"}\n\n`);
    const stream = streamOf(KEY);
    for (let time = 0; time < 3; time++) assert.equal(stream.push(chunk), chunk);
    assert.equal(stream.isHolding(), false);
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
