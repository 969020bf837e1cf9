import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ObjectScanner } from '../../../../src/gateway/http/objectScanner.ts';
import { runs } from '../../../support/randomRuns.ts';

const json = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 });

describe('the object scanner', () => {
  it('finds members with their values, wherever the bytes are split and whatever the whitespace', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), fc.integer({ min: 1, max: 9 }), (value, space, size) => {
        const bytes = Buffer.from(JSON.stringify(value, null, space));
        const scanner = new ObjectScanner(new Set(Object.keys(value)));
        for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size));
        const found = scanner.members.map(({ name, start, end }) => [
          name,
          JSON.parse(bytes.toString('utf8', start, end)),
        ]);
        const expected = Object.entries(JSON.parse(bytes.toString()));
        assert.deepEqual(found, expected);
        assert.equal(scanner.closedAt, bytes.length - 1);
        for (const [name, text] of scanner.values)
          assert.deepEqual([name, JSON.parse(text)], [name, JSON.parse(bytes.toString())[name]]);
      }),
      { numRuns: runs(150) },
    );
  });

  it('skips long strings with quotes and backslashes in them', () => {
    const value = { a: ['\\"'.repeat(60), { b: `${'x'.repeat(100)}\\` }], 'stream\u0022': 1, stream: true };
    const bytes = Buffer.from(JSON.stringify(value));
    const scanner = new ObjectScanner(new Set(['stream']));
    scanner.push(bytes);
    assert.deepEqual(
      scanner.members.map(({ name }) => name),
      ['a', 'stream"', 'stream'],
    );
    assert.equal(scanner.values.get('stream'), 'true');
  });
});

describe('an object with too many bytes between its strings', () => {
  const find = (value: string) => {
    const scanner = new ObjectScanner(new Set(['b']));
    for (const piece of [`{"a":${value}`, ',"b":1}']) scanner.push(Buffer.from(piece));
    return scanner.values.get('b');
  };

  it('is not searched any further', () => {
    assert.equal(find(`[${' \n'.repeat(4_500_000)}]`), undefined);
    assert.equal(find('1'.repeat(9_000_000)), undefined);
    assert.equal(find(`{${'"a":"b",'.repeat(1_500_000)}"a":1}`), undefined, 'short strings take as long');
  });

  it('is searched through strings of any length', () => {
    assert.equal(find(`"${' '.repeat(9_000_000)}"`), '1');
    assert.equal(find(`"${'\\"'.repeat(4_500_000)}"`), '1');
  });
});

describe('an object with more members than a request may have', () => {
  it('is not searched any further', () => {
    const scanner = new ObjectScanner(new Set(['store']));
    scanner.push(Buffer.from(`{${'"a":1,'.repeat(5_000)}"store":false}`));
    assert.ok(scanner.members.length < 2_000, `${scanner.members.length} members were kept.`);
    assert.equal(scanner.values.get('store'), undefined);
    assert.equal(scanner.closedAt, undefined);
  });
});
