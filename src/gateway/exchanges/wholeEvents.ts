import { isRecord, parseJson } from '../../formats/json.ts';
import { eventsIn, hasWholeData } from '../../formats/serverSentEvents.ts';
import { endOfLastEvent, LF } from '../http/eventBounds.ts';

/** The most that is held of one event, in bytes. The rest of a longer event passes as it arrives. */
const MAX_HELD = 1024 * 1024;
/** A blank line is at most one byte longer. */
const TAIL_BYTES = 3;
const BLANK_LINE_OF_RETURNS = '\r\r';
const NOTHING: Buffer = Buffer.alloc(0);
const BLANK_LINE = Buffer.from('\n\n');
const END_OF_LINE = Buffer.from('\n');

/**
 * Divides a stream at the ends of its events. A client reads an event when it is complete, so nothing is delayed; and if
 * the upstream is cut off in the middle of an event, the client gets none of it, and an error event can follow.
 */
export class WholeEvents {
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** The last bytes since the end of an event. */
  #tail: Buffer = NOTHING;
  /** Whether another event may follow what was returned. Read only. */
  isBetween = true;
  /** Whether nothing is held, so that a chunk that ends with an event does not have to be added. Read only. */
  isEmpty = true;

  /** Returns what may be sent: everything up to the end of the last event, which may be nothing. */
  add(chunk: Buffer): Buffer {
    const searched = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
    const end = endOfEvents(searched) - this.#tail.length;
    const rest = end <= 0 ? chunk : chunk.subarray(end);
    const passed = end <= 0 ? NOTHING : Buffer.concat([...this.#take(), chunk.subarray(0, end)]);
    if (end > 0) this.isBetween = true;
    this.#tail = (end <= 0 ? searched : rest).subarray(-TAIL_BYTES);
    if (rest.length > 0) this.#held.push(rest);
    this.#heldBytes += rest.length;
    this.isBetween &&= this.#heldBytes <= MAX_HELD;
    this.isEmpty = this.isBetween && this.#heldBytes === 0;
    return this.isBetween ? passed : Buffer.concat([passed, ...this.#take()]);
  }

  /**
   * Returns what is to be sent at the end of the stream: the last event with its blank line, if only that was missing.
   * An event that was cut off is omitted.
   */
  end(): Buffer {
    const isLong = !this.isBetween;
    const rest = Buffer.concat(this.#take());
    this.#tail = NOTHING;
    this.isBetween = true;
    this.isEmpty = true;
    if (isLong) return BLANK_LINE;
    if (!isWhole(rest)) return NOTHING;
    return Buffer.concat([rest, rest.at(-1) === LF ? END_OF_LINE : BLANK_LINE]);
  }

  #take(): Buffer[] {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    return held;
  }
}

/** Returns 0 if no event ends in these bytes. */
function endOfEvents(bytes: Buffer): number {
  const end = endOfLastEvent(bytes);
  if (end > 0) return end;
  const returns = bytes.lastIndexOf(BLANK_LINE_OF_RETURNS);
  return returns === -1 ? 0 : returns + BLANK_LINE_OF_RETURNS.length;
}

/** Whether these bytes are an event except for its blank line, or an object without the form of an event. */
function isWhole(bytes: Buffer): boolean {
  if (bytes.length === 0) return false;
  if (isRecord(parseJson(bytes.toString()))) return true;
  const events = eventsIn(bytes);
  return events.length > 0 && events.every(hasWholeData);
}
