import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { itemsAfter, itemsIn, joinItems, listOf } from '../../../../src/gateway/http/itemList.ts';
import { turnBody } from '../../../../src/gateway/upstreams/webSocket/turnBody.ts';
import { bodyOf, readClientEvent } from '../../../../src/gateway/websocket/clientEvent.ts';
import { runs } from '../../../support/randomRuns.ts';

const OF_EVENT = [
  'type',
  'generate',
  'stream',
  'stream_id',
  'previous_response_id',
  'input',
  'background',
  '__proto__',
];
const text = fc.string({ unit: 'grapheme' });
const members = fc.dictionary(
  text.filter((name) => !OF_EVENT.includes(name)),
  fc.jsonValue({ stringUnit: 'grapheme' }),
  { noNullPrototype: true },
);
const items = fc.array(fc.dictionary(text, fc.jsonValue({ stringUnit: 'grapheme' }), { noNullPrototype: true }));
/** White space between everything. */
const spaces = fc.constantFrom('', ' ', '\n\t');

describe('an event of a WebSocket client', () => {
  it('becomes the same request over HTTP, whatever is in it', () => {
    fc.assert(
      fc.property(members, fc.oneof(items, text), spaces, (others, input, space) => {
        const event = JSON.stringify({ type: 'response.create', ...others, input, stream: false }, undefined, space);
        const read = readClientEvent(Buffer.from(event));
        assert.ok(read.kind === 'create');
        const body = JSON.parse(bodyOf(read, read.written, undefined).toString()) as object;
        assert.deepEqual(body, JSON.parse(JSON.stringify({ ...others, input, stream: true })));
      }),
      { numRuns: runs(100) },
    );
  });

  it('continues items with others, and finds the new ones among all', () => {
    fc.assert(
      fc.property(items, items, spaces, (before, after, space) => {
        const written = (list: readonly object[]) =>
          itemsIn(Buffer.from(JSON.stringify(list, undefined, space))) ?? assert.fail();
        const all = joinItems(written(before), written(after));
        assert.deepEqual(JSON.parse(listOf(all).toString()), JSON.parse(JSON.stringify([...before, ...after])));
        const found = itemsAfter(all, written(before));
        assert.deepEqual(found?.toString(), written(after).toString());
      }),
      { numRuns: runs(100) },
    );
  });

  it('is never what another request begins with by chance', () => {
    const list = (value: unknown) => itemsIn(Buffer.from(JSON.stringify(value))) ?? assert.fail();
    assert.equal(itemsAfter(list([{ a: 12 }]), Buffer.from('{"a":1')), undefined);
    assert.equal(itemsAfter(list([12, 3]), list([1])), undefined);
    assert.equal(itemsAfter(list([1]), list([1, 2])), undefined);
  });

  it('divides a request for an upstream that has WebSocket', () => {
    fc.assert(
      fc.property(members, items, spaces, (others, input, space) => {
        const body = JSON.stringify({ stream: true, ...others, input }, undefined, space);
        const divided = turnBody(Buffer.from(body));
        assert.ok(divided !== undefined);
        const whole = JSON.parse(`{"input":${listOf(divided.input)}${divided.members}}`) as object;
        assert.deepEqual(whole, JSON.parse(JSON.stringify({ ...others, input })));
      }),
      { numRuns: runs(100) },
    );
  });
});
