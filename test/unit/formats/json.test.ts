import assert from 'node:assert/strict';
import fc from 'fast-check';
import { defined, strictJson } from '../../../src/formats/json.ts';

describe('defined', () => {
  it('omits undefined properties and nothing else, and keeps the order', () => {
    const result = defined({ z: null, a: undefined, m: 0, b: false, c: '' });
    assert.deepEqual(Object.entries(result), [
      ['z', null],
      ['m', 0],
      ['b', false],
      ['c', ''],
    ]);
  });

  it('does not look into nested properties', () => {
    assert.deepEqual(Object.keys(defined({ inner: { a: undefined } }).inner), ['a']);
  });
});

describe('strict JSON', () => {
  it('has a replacement character for each half of a character, and everything else as it is', () => {
    const unit = fc.constantFrom('a', '\\', '"', 'ud83d', '\\ud83d', '\n', '😀', '\ud83d', '\ude00', '\uffff');
    fc.assert(
      fc.property(fc.array(fc.string({ unit, maxLength: 8 })), fc.string({ unit }), (texts, name) => {
        const json = strictJson({ texts, [name]: texts });
        assert.doesNotMatch(json.replaceAll('\\\\', ''), /\\ud[89a-f]/);
        const strict = texts.map((text) => text.toWellFormed());
        assert.deepEqual(JSON.parse(json), { texts: strict, [name.toWellFormed()]: strict });
      }),
    );
  });
});
