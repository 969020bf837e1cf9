import type { FormatName } from '../../formats/conversation.ts';
import { eventsIn } from '../../formats/serverSentEvents.ts';
import type { Usage } from '../../formats/usage.ts';
import { boundsOfEvent, CR, endOfFirstEvent, endOfLastEvent, LF } from '../http/eventBounds.ts';
import { findLastUsage, findUsage, lastUsage } from '../http/usageKey.ts';
import { AnswerProgress } from './answerProgress.ts';
import { HeldBytes, type LongObject } from './heldBytes.ts';
import { type ReportedCount, UsageReader } from './usageReader.ts';

/** Longer pieces, such as a decompressed answer, are read in parts, so that no event is parsed that is too long to be held. */
const MAX_PIECE = 64 * 1024;

const USAGE = 'usage"';
/** Ignores a byte order mark. */
const UTF_8 = new TextDecoder();

/**
 * Reads an answer that passes: its usage, and of a stream also how far it has come. Pieces can be split anywhere. They are
 * referenced until their event is complete, so they must not be modified. A stream is searched for the key of the usage
 * with the native search, and only an event that contains it is parsed. Of all other events, only the end is searched.
 */
export class AnswerReader {
  /** What was read so far. Complete at the end of the answer. */
  readonly usage: UsageReader;
  /** Undefined if the answer is not a stream. */
  readonly progress: AnswerProgress | undefined;
  readonly #format: FormatName;
  readonly #held: HeldBytes;
  /** The last two bytes held, because a blank line can be split between pieces. */
  #lastTwo: readonly [before: number, last: number] = [0, 0];
  /** Whether no event has arrived yet. */
  #isAtStart = true;

  /** @param isStream whether the answer is a stream of events. It must not be compressed. */
  constructor(format: FormatName, isStream: boolean) {
    this.#format = format;
    this.usage = new UsageReader(format);
    this.#held = new HeldBytes(isStream && format === 'responses');
    if (isStream) this.progress = new AnswerProgress(format);
  }

  push(piece: Buffer): void {
    if (this.progress === undefined) {
      this.#held.add(piece);
      return;
    }
    this.progress.push(piece);
    for (let at = 0; at < piece.length; at += MAX_PIECE) this.#push(piece.subarray(at, at + MAX_PIECE));
  }

  /** Called at the end of the answer, even if it was cut off. The usage is undefined if the answer has not reported it. */
  end(): { readonly usage: Usage | undefined; readonly isFinal: boolean } {
    if (this.#held.length > 0) this.#readHeld();
    return { usage: this.usage.usage, isFinal: this.#isFinal };
  }

  /** Returns what the answer has reported. Called at its end, even if it was cut off. */
  reported(): ReportedCount | undefined {
    return this.usage.reported(this.end().isFinal);
  }

  /** Whether the usage covers the whole answer. */
  get #isFinal(): boolean {
    const { isComplete, isFinal, isUpToDate } = this.usage;
    if (!isComplete || this.progress === undefined) return isComplete && isFinal;
    // In chat completions, upstreams that report usage in each event may not do so in the last.
    if (this.progress.hasEnded) return isFinal || (isUpToDate && this.#format === 'chat-completions');
    return isFinal && this.progress.hasAllOutput;
  }

  #push(piece: Buffer): void {
    let bytes = piece;
    if (this.#held.length > 0) {
      const end = this.#endOfHeld(bytes);
      if (end === -1) {
        this.#hold(bytes);
        return;
      }
      this.#held.add(bytes.subarray(0, end));
      this.#readHeld();
      bytes = bytes.subarray(end);
    }
    const end = endOfLastEvent(bytes);
    if (end > 0) this.#search(bytes.subarray(0, end));
    if (end < bytes.length) this.#hold(bytes.subarray(end));
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.add(bytes);
    const before = bytes.length > 1 ? bytes[bytes.length - 2] : this.#lastTwo[1];
    this.#lastTwo = [before ?? 0, bytes[bytes.length - 1] ?? 0];
  }

  /** Returns where in these bytes the held event ends, or -1 if it does not end there. */
  #endOfHeld(bytes: Buffer): number {
    const [before, last] = this.#lastTwo;
    if (bytes[0] === LF && (last === LF || (last === CR && before === LF))) return 1;
    if (last === LF && bytes[0] === CR && bytes[1] === LF) return 2;
    return endOfFirstEvent(bytes);
  }

  #readHeld(): void {
    const { bytes, long } = this.#held.take();
    this.#lastTwo = [0, 0];
    if (long !== undefined) readLong(this.usage, long, bytes);
    else if (this.progress !== undefined) this.#search(bytes);
    else if (bytes.includes(USAGE)) this.usage.read(UTF_8.decode(bytes));
  }

  /** @param events one or more complete events. */
  #search(events: Buffer): void {
    if (this.usage.mayShowSearches(events)) for (const data of dataOf(events)) this.usage.readSearch(data);
    if (this.usage.isLastAll) this.#searchFromEnd(events);
    else this.#searchAll(events);
    this.#isAtStart = false;
  }

  #searchAll(events: Buffer): void {
    let counted = 0;
    for (let at = findUsage(events); at !== -1; ) {
      const { start, end } = boundsOfEvent(events, at);
      if (this.#read(events.subarray(start, end))) counted = end;
      at = findUsage(events, end);
    }
    this.#pass(events.subarray(counted));
  }

  /** Some servers report usage in every event, but most only in the last. */
  #searchFromEnd(events: Buffer): void {
    for (let at = findLastUsage(events); at !== -1; ) {
      const { start, end } = boundsOfEvent(events, at);
      if (this.#read(events.subarray(start, end), this.#isAtStart && start === 0)) {
        this.#pass(events.subarray(end));
        return;
      }
      at = findLastUsage(events, start);
    }
    this.#pass(events);
  }

  /** @param event one event, or all of them if the stream ends lines with carriage returns alone. */
  #read(event: Buffer, isFirst = false): boolean {
    return dataOf(event)
      .map((data, at) => this.usage.read(data, isFirst && at === 0))
      .includes(true);
  }

  /**
   * Checks what follows the last count, because usage that was reported before a part of the answer does not cover it.
   */
  #pass(events: Buffer): void {
    if (!this.usage.mayBeOutdatedBy(events)) return;
    for (const data of dataOf(events)) this.usage.pass(data);
  }
}

function dataOf(events: Buffer): readonly string[] {
  return eventsIn(events).map(({ data }) => data);
}

/** @param end of an answer or event whose beginning was dropped. */
function readLong(reader: UsageReader, { json }: LongObject, end: Buffer): void {
  if (json !== undefined && reader.read(json)) return;
  const usage = lastUsage(end);
  if (usage !== undefined) reader.count(usage);
}
