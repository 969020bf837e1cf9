import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ServerSentEventDecoder } from '../../../../src/formats/serverSentEvents.ts';
import { WholeEvents } from '../../../../src/gateway/exchanges/wholeEvents.ts';
import { split, splits } from '../../formats/streams.ts';

function passed(text: string, sizes: readonly number[] = []): string {
  const events = new WholeEvents();
  const pieces = split(Buffer.from(text), sizes).map((piece) => events.add(piece));
  return Buffer.concat([...pieces, events.end()]).toString();
}

const STREAM = 'event: a\ndata: {"text":"Hi\\n\\n"}\n\n: note\n\ndata: {"usage":{"n":1}}\r\n\r\ndata: [DONE]\n\n';
describe('a stream in whole events', () => {
  it('keeps every byte, however it was split', () => {
    fc.assert(fc.property(splits, (sizes) => assert.equal(passed(STREAM, sizes), STREAM)));
  });

  it('has all events before its end, and nothing of one that was cut off, wherever it ends', () => {
    for (let end = 0; end <= STREAM.length; end += 1) {
      const part = STREAM.slice(0, end);
      const decoder = new ServerSentEventDecoder();
      const events = [...decoder.push(Buffer.from(part)), ...decoder.end()];
      const shown = passed(part);
      assert.deepEqual(new ServerSentEventDecoder().push(Buffer.from(shown)), events, `${end}`);
      assert.ok(shown === '' || /\n\r?\n$/.test(shown), `${end}`);
    }
  });

  for (const [rest, sent] of [
    ['data: {"a":1}', 'data: {"a":1}\n\n'],
    ['data: {"a":1}\n', 'data: {"a":1}\n\n'],
    ['data: {"a":1}\r\n', 'data: {"a":1}\r\n\n'],
    ['event: x\ndata: [DONE]', 'event: x\ndata: [DONE]\n\n'],
    ['data: words', 'data: words\n\n'],
    ['data: {"a":', ''],
    ['data: [DON', ''],
    ['event: x\n', ''],
    ['dat', ''],
    ['data: ', ''],
  ] as const) {
    it(`ends ${JSON.stringify(rest)} with ${JSON.stringify(sent)}`, () => {
      assert.equal(passed(`data: 1\n\n${rest}`), `data: 1\n\n${sent}`);
    });
  }

  it('passes events that end with returns alone at once', () => {
    assert.equal(new WholeEvents().add(Buffer.from('data: 1\r\rdata: 2')).toString(), 'data: 1\r\r');
  });

  it('passes an event that is too long to be held as it arrives, and ends it', () => {
    const long = `data: {"a":"${'x'.repeat(3_000_000)}"}`;
    const events = new WholeEvents();
    const pieces = split(Buffer.from(long), [500_000, 500_000, 500_000]).map((piece) => events.add(piece));
    assert.deepEqual([pieces.slice(0, 2).map(({ length }) => length), events.isBetween], [[0, 0], false]);
    assert.equal(Buffer.concat([...pieces, events.end()]).toString(), `${long}\n\n`);
    assert.ok(events.isBetween);
  });
});
