import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  formatServerSentEvent,
  type ServerSentEvent,
  ServerSentEventDecoder,
} from '../../../src/formats/serverSentEvents.ts';
import { split, splits } from './streams.ts';

function read(text: string | Uint8Array, sizes: readonly number[] = []): ServerSentEvent[] {
  const decoder = new ServerSentEventDecoder();
  const bytes = Buffer.from(text);
  return [...split(bytes, sizes).flatMap((piece) => decoder.push(piece)), ...decoder.end()];
}

const line = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !/[\r\n]/.test(value));
const name = fc.stringMatching(/^[a-z][a-z._]{0,15}$/);
const event: fc.Arbitrary<ServerSentEvent> = fc.record(
  { event: name, data: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')) },
  { requiredKeys: ['data'], noNullPrototype: true },
);

describe('Server-sent events', () => {
  it('are restored however their bytes are split', () => {
    fc.assert(
      fc.property(fc.array(event), splits, (events, sizes) => {
        assert.deepEqual(read(events.map(formatServerSentEvent).join(''), sizes), events);
      }),
    );
  });

  it('may end their lines with CRLF, split anywhere', () => {
    fc.assert(
      fc.property(fc.array(event), splits, (events, sizes) => {
        const text = events.map(formatServerSentEvent).join('').replaceAll('\n', '\r\n');
        assert.deepEqual(read(text, sizes), events);
      }),
    );
  });

  it('do not need a space after the colon', () => {
    assert.deepEqual(read('event:a\ndata:{"b":1}\n\n'), [{ event: 'a', data: '{"b":1}' }]);
  });

  it('may begin with a byte-order mark and contain comments', () => {
    assert.deepEqual(read('\uFEFF: hello\n\ndata: a\n: in between\ndata: b\n\n'), [{ data: 'a\nb' }]);
  });

  it('are read to the last one, even if its blank line or line ending is missing', () => {
    assert.deepEqual(read('data: a\n\ndata: b\n'), [{ data: 'a' }, { data: 'b' }]);
    assert.deepEqual(read('data: a\n\ndata: b'), [{ data: 'a' }, { data: 'b' }]);
  });

  it('are emitted as soon as they are complete', () => {
    const decoder = new ServerSentEventDecoder();
    const bytes = new TextEncoder().encode('data: a\n\ndata: b');
    assert.deepEqual(decoder.push(bytes), [{ data: 'a' }]);
    assert.deepEqual(decoder.push(new TextEncoder().encode('\n\n')), [{ data: 'b' }]);
    assert.deepEqual(decoder.end(), []);
  });

  it('keep characters whose bytes arrive one by one', () => {
    const text = 'data: 🙂 ü 一\n\n';
    const bytes = new TextEncoder().encode(text);
    assert.deepEqual(read(bytes, Array(bytes.length).fill(1)), [{ data: '🙂 ü 一' }]);
  });

  it('are written with a data line for each line of text and a blank line at the end', () => {
    assert.equal(formatServerSentEvent({ event: 'x', data: 'a\nb\r\nc' }), 'event: x\ndata: a\ndata: b\ndata: c\n\n');
    assert.equal(formatServerSentEvent({ data: '[DONE]' }), 'data: [DONE]\n\n');
    assert.deepEqual(read(formatServerSentEvent({ data: 'a\rb' })), [{ data: 'a\nb' }]);
  });
});
