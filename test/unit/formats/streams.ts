import * as fc from 'fast-check';
import type { ChatEvent } from '../../../src/formats/answer.ts';
import { ServerSentEventDecoder } from '../../../src/formats/serverSentEvents.ts';
import type { WireFormat } from '../../../src/formats/wireFormat.ts';

/** Sizes of the pieces into which a network splits a stream, in bytes. The rest is one piece. */
export const splits = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 });

export function split(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(from, from + size));
    from += size;
  }
  return [...pieces, bytes.subarray(from)];
}

/** Returns all events of a stream that is read piece by piece. */
export function readEvents<Event>(
  format: WireFormat<unknown, unknown, Event>,
  text: string,
  sizes: readonly number[] = [],
): ChatEvent[] {
  const bytes = new ServerSentEventDecoder();
  const decoder = format.createStreamDecoder();
  const read = split(Buffer.from(text), sizes).flatMap((piece) => bytes.push(piece));
  return [...[...read, ...bytes.end()].flatMap((event) => decoder.push(format.parseEvent(event))), ...decoder.end()];
}
