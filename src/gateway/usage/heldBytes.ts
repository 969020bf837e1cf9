import { ByteList } from '../http/byteList.ts';
import { LongObject } from './longObject.ts';

/** Maximum number of bytes held of one event or answer. */
const MAX_HELD = 1024 * 1024;
/** Of longer ones, only the end is held, which contains the usage. */
const HELD_OF_LONGER = 64 * 1024;

/**
 * Collects the pieces of a text without copying them. Drops the beginning of a very long text, from which only the members
 * that determine the cost are kept.
 */
export class HeldBytes {
  readonly #isEvent: boolean;
  #dropped: LongObject | undefined;
  readonly #pieces = new ByteList();

  /** @param isEvent whether the text is an event of the responses format. */
  constructor(isEvent: boolean) {
    this.#isEvent = isEvent;
  }

  get length(): number {
    return this.#pieces.length;
  }

  add(piece: Buffer): void {
    this.#pieces.add(piece);
    const { length } = this.#pieces;
    if (length > MAX_HELD || (this.#dropped !== undefined && length > 2 * HELD_OF_LONGER)) this.#letGo();
  }

  /** Returns the held bytes as one buffer, and removes them. If some were dropped, these are the end, with the members. */
  take(): { readonly bytes: Buffer; readonly long?: LongObject } {
    const bytes = this.#pieces.concat();
    const long = this.#dropped;
    this.#pieces.clear();
    this.#dropped = undefined;
    long?.push(bytes);
    return { bytes, ...(long && { long }) };
  }

  #letGo(): void {
    const all = this.#pieces.concat();
    this.#dropped ??= new LongObject(this.#isEvent);
    this.#dropped.push(all.subarray(0, -HELD_OF_LONGER));
    this.#pieces.clear();
    // Copies the end, so that the memory of the rest can be freed.
    this.#pieces.add(Buffer.from(all.subarray(-HELD_OF_LONGER)));
  }
}
