import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isTooDeep, parseJsonBody, readJsonBody } from '../../../../src/gateway/http/jsonBody.ts';

const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('the body of a request', () => {
  it('is read as it is written', () => {
    const property = fc.property(fc.json(), (text) => {
      assert.deepEqual(readJsonBody(Buffer.from(text)), JSON.parse(text));
    });
    fc.assert(property);
  });

  it('may be nested five hundred levels deep, and no deeper', () => {
    assert.equal(isTooDeep(lists(500)), false);
    assert.equal(isTooDeep(lists(501)), true);
    assert.throws(() => readJsonBody(Buffer.from(lists(501))), /nested too deep/);
  });

  it('may hold any number of brackets in its strings', () => {
    const property = fc.property(fc.string({ unit: fc.constantFrom('[', '"', '\\', '{', ']') }), (text) => {
      assert.equal(isTooDeep(JSON.stringify([text.repeat(600)])), false);
      assert.equal(isTooDeep(`{${JSON.stringify(text)}:${lists(500)}}`), true);
    });
    fc.assert(property);
  });

  it('may hold quotes in its strings, however near to each other they are', () => {
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
    fc.assert(property, { numRuns: 1_000 });
  });

  it('is searched to its end when a string in it has none', () => {
    assert.equal(isTooDeep(`["${'['.repeat(1000)}`), false);
  });

  it('may begin with a byte order mark, and hold signs of any length', () => {
    assert.deepEqual(readJsonBody(Buffer.from('\uFEFF{"a":"ä€😀"}')), { a: 'ä€😀' });
  });

  for (const bytes of [Buffer.from(''), Buffer.from('{"a":'), Buffer.from([0x22, 0xff, 0x22])]) {
    it(`is not JSON: ${JSON.stringify(bytes.toString('latin1'))}`, () => {
      assert.throws(() => readJsonBody(bytes), /not JSON/);
      assert.equal(parseJsonBody(bytes), undefined);
    });
  }
});
