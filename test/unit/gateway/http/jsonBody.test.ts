import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  parseJsonBody,
  readCountedJson,
  readJsonBody,
  readLongJson,
  shortObject,
} from '../../../../src/gateway/http/jsonBody.ts';
import { isTooDeep as areTooDeep, JsonMeasure } from '../../../../src/gateway/http/jsonMeasure.ts';
import { runs } from '../../../support/randomRuns.ts';

const isTooDeep = (text: string) => areTooDeep(Buffer.from(text));
const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('the body of a request', () => {
  it('is parsed correctly', () => {
    const property = fc.property(fc.json(), (text) => {
      assert.deepEqual(readJsonBody(Buffer.from(text)), JSON.parse(text));
    });
    fc.assert(property);
  });

  it('is parsed once for all of its readers, if it is short', () => {
    const short = Buffer.from('{"model":"m","metadata":{"a":[1]}}');
    const value = readJsonBody(short);
    for (const again of [readJsonBody(short), parseJsonBody(short), shortObject(short), readCountedJson(short).value]) {
      assert.equal(again, value);
    }
    assert.equal(shortObject(Buffer.from(`{"a":"${'x'.repeat(20_000)}"}`)), undefined);
  });

  it('is not taken for a short object if it is none, is incomplete, or may exceed a limit', () => {
    for (const text of ['', '[]', '"a"', 'null', '{"a":', `{"a":${lists(501)}}`, `{"a":${lists(500)}}`]) {
      assert.equal(shortObject(Buffer.from(text)), undefined, text);
    }
    assert.throws(() => readJsonBody(Buffer.from(`{"a":${lists(501)}}`)), /nested too deep/);
    assert.throws(() => readJsonBody(Buffer.from('{"a":')), /not JSON/);
    const members = Array.from({ length: 1_001 }, (_, nth) => `"${nth}":1`).join(',');
    for (let time = 0; time < 2; time++) assert.throws(() => readJsonBody(Buffer.from(`{${members}}`)), /members/);
  });

  it('may be nested at most five hundred levels deep', () => {
    assert.equal(isTooDeep(lists(500)), false);
    assert.equal(isTooDeep(lists(501)), true);
    assert.throws(() => readJsonBody(Buffer.from(lists(501))), /nested too deep/);
  });

  it('may contain any number of brackets in its strings', () => {
    const property = fc.property(fc.string({ unit: fc.constantFrom('[', '"', '\\', '{', ']') }), (text) => {
      assert.equal(isTooDeep(JSON.stringify([text.repeat(600)])), false);
      assert.equal(isTooDeep(`{${JSON.stringify(text)}:${lists(500)}}`), true);
    });
    fc.assert(property);
  });

  it('may contain quotes in its strings, however close together', () => {
    const piece = fc.constantFrom(
      '"',
      '"'.repeat(40),
      'x',
      'x'.repeat(300),
      '\\',
      '\\'.repeat(33),
      '[',
      'a"b'.repeat(31),
    );
    const property = fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      assert.equal(isTooDeep(JSON.stringify([text, lists(499)])), false);
      assert.equal(isTooDeep(`{${JSON.stringify(text)}:${lists(499)}}`), false);
      assert.equal(isTooDeep(`[${JSON.stringify(text)},${lists(500)}]`), true);
    });
    fc.assert(property, { numRuns: runs(200) });
  });

  it('is scanned to its end if a string in it is not terminated', () => {
    assert.equal(isTooDeep(`["${'['.repeat(1000)}`), false);
  });

  it('may begin with a byte order mark, and contain characters of any length', () => {
    assert.deepEqual(readJsonBody(Buffer.from('\uFEFF{"a":"ä€😀"}')), { a: 'ä€😀' });
  });

  for (const bytes of [Buffer.from(''), Buffer.from('{"a":'), Buffer.from([0x22, 0xff, 0x22])]) {
    it(`is not JSON: ${JSON.stringify(bytes.toString('latin1'))}`, () => {
      assert.throws(() => readJsonBody(bytes), /not JSON/);
      assert.equal(parseJsonBody(bytes), undefined);
    });
  }
});

describe('a long body', () => {
  it('is measured in steps, even within one string', () => {
    const body = Buffer.from(`["\\n${'a'.repeat(9_000_000)}\\n"]`);
    const measure = new JsonMeasure(body);
    let steps = 0;
    while (!measure.isDone) {
      measure.pass(1_000_000);
      steps += 1;
    }
    assert.deepEqual([steps, measure.excess, measure.values], [10, undefined, 2]);
  });

  it('may have at most four million escaped characters', () => {
    const escapes = (count: number) => Buffer.from(`["${'\\\\'.repeat(count)}"]`);
    assert.equal(new JsonMeasure(escapes(4 * 1024 * 1024)).pass().excess, undefined);
    assert.equal(new JsonMeasure(escapes(4 * 1024 * 1024 + 1)).pass().excess, 'escapes');
  });

  /** Long enough to be read in several steps, wherever a step ends. */
  const long = (rest: string) =>
    Buffer.from(`{"text":"${'\\"ä😀'.repeat(700_000)}","list":[${'1, '.repeat(60_000)}0],${rest}`);

  it('has the same result when it is parsed in steps', async () => {
    const body = long('"a":{"b":[{}]},"a":1}');
    assert.deepEqual(await readLongJson(body), readCountedJson(body));
  });

  for (const [what, rest] of [
    ['is not JSON', '"a":'],
    ['has too many values', `"a":[${'1,'.repeat(250_000)}1]}`],
    ['is nested too deep', `"a":${lists(501)}}`],
  ] as const) {
    it(`is refused like a short one if it ${what}`, async () => {
      await assert.rejects(readLongJson(long(rest)), ({ message }: Error) => {
        assert.throws(() => readCountedJson(long(rest)), { message });
        return message.includes(what);
      });
    });
  }
});

describe('content that takes long to parse regardless of its length', () => {
  const members = (count: number, name: string) =>
    Array.from({ length: count }, (_, nth) => `"${name}${nth}":1`).join();

  for (const [what, text, expected] of [
    ['members of the outermost object', `{${members(1_001, 'a')}}`, /too many members. The limit is 1000/],
    ['bytes in names', `{"a":{${members(5_000, 'a'.repeat(1_000))}}}`, /member names that are too long/],
    ['digits', `[${'1'.repeat(9_000_000)}]`, /too many bytes outside of strings/],
    ['escaped characters', `["${'\\\\'.repeat(4_500_000)}"]`, /too many escaped characters/],
    [
      'escaped quotes in short strings',
      `[${'"\\"\\"\\"\\"\\"\\"\\"\\"\\"\\"\\"\\"\\"\\"\\"\\"\\"\\"\\"\\"",'.repeat(210_000)}0]`,
      /escaped/,
    ],
    ['white space', `[${'\n'.repeat(9_000_000)}]`, /too many bytes outside of strings/],
  ] as const) {
    it(`has a limit: ${what}`, () => {
      assert.throws(() => readJsonBody(Buffer.from(text)), expected);
    });
  }

  it('is allowed in strings and nested objects in any number', () => {
    const text = `{"a":{${members(10_000, 'a')}},"b":"${' '.repeat(9_000_000)}"}`;
    assert.deepEqual(readJsonBody(Buffer.from(text)), JSON.parse(text));
  });
});
