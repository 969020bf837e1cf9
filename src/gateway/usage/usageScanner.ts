import type { FormatName, Usage } from '../../formats/conversation.ts';
import { ServerSentEventDecoder } from '../../formats/serverSentEvents.ts';
import { asBuffer } from '../http/asBuffer.ts';
import { boundsOfEvent, CR, endOfFirstEvent, endOfLastEvent, LF } from '../http/eventBounds.ts';
import { findLastUsage, findUsage, lastUsage } from '../http/usageKey.ts';
import { HeldBytes } from './heldBytes.ts';
import { UsageReader } from './usageReader.ts';

/**
 * Takes the usage from an answer that is passed on as it comes. Pieces may be split anywhere. It keeps references to
 * them until the event that they belong to is whole, so they must not be written to.
 */
export interface UsageScanner {
  push(piece: Uint8Array | string): void;
  /** The answer is over, or broke off. @returns undefined when it did not say what it used. */
  end(): Usage | undefined;
  /** Whether it was said where an answer ends. */
  readonly isFinal: boolean;
  /** Of a stream: whether it was said with the last part of the answer. */
  readonly isUpToDate: boolean;
  /** Of a stream: whether the input was said before the rest alone. */
  readonly isInputEarly: boolean;
  /** Whether input and output were both said. */
  readonly isComplete: boolean;
  /** The model that answered, where it says so beside its usage. */
  readonly model: string | undefined;
}

/** @param contentType Of the answer, which must not be compressed. */
export function createUsageScanner(format: FormatName, contentType: string | undefined): UsageScanner {
  return isEventStream(contentType) ? new StreamUsageScanner(format) : new BodyUsageScanner(format);
}

export function isEventStream(contentType: string | undefined): boolean {
  return contentType?.trimStart().toLowerCase().startsWith('text/event-stream') ?? false;
}

/** Of a JSON answer in one body. */
class BodyUsageScanner implements UsageScanner {
  readonly #reader: UsageReader;
  readonly #held = new HeldBytes();

  constructor(format: FormatName) {
    this.#reader = new UsageReader(format);
  }

  push(piece: Uint8Array | string): void {
    this.#held.add(asBuffer(piece));
  }

  get isFinal(): boolean {
    return this.#reader.isFinal;
  }

  get isUpToDate(): boolean {
    return this.#reader.isUpToDate;
  }

  get isInputEarly(): boolean {
    return this.#reader.isInputEarly;
  }

  get isComplete(): boolean {
    return this.#reader.isComplete;
  }

  get model(): string | undefined {
    return this.#reader.model;
  }

  end(): Usage | undefined {
    const { isWhole } = this.#held;
    const bytes = this.#held.take();
    if (isWhole && findUsage(bytes) !== -1) this.#reader.read(new TextDecoder().decode(bytes));
    else if (!isWhole) countLast(this.#reader, bytes);
    return this.#reader.usage;
  }
}

/**
 * Of a stream. Bytes are searched for the key of the usage by the machine's own search, and only an event that has it
 * is parsed; of all others nothing but their end is looked for.
 */
class StreamUsageScanner implements UsageScanner {
  readonly #reader: UsageReader;
  readonly #held = new HeldBytes();
  /** The last two bytes that are held: a blank line may be split over pieces. */
  #lastTwo: readonly [before: number, last: number] = [0, 0];
  /** Whether no event has come yet. */
  #isAtStart = true;

  constructor(format: FormatName) {
    this.#reader = new UsageReader(format);
  }

  push(piece: Uint8Array | string): void {
    let bytes = asBuffer(piece);
    if (this.#held.length > 0) {
      const end = this.#endOfHeld(bytes);
      if (end === -1) {
        this.#hold(bytes);
        return;
      }
      this.#held.add(bytes.subarray(0, end));
      this.#searchHeld();
      bytes = bytes.subarray(end);
    }
    const end = endOfLastEvent(bytes);
    if (end > 0) this.#search(bytes.subarray(0, end));
    if (end < bytes.length) this.#hold(bytes.subarray(end));
  }

  get isFinal(): boolean {
    return this.#reader.isFinal;
  }

  get isUpToDate(): boolean {
    return this.#reader.isUpToDate;
  }

  get isInputEarly(): boolean {
    return this.#reader.isInputEarly;
  }

  get isComplete(): boolean {
    return this.#reader.isComplete;
  }

  get model(): string | undefined {
    return this.#reader.model;
  }

  end(): Usage | undefined {
    if (this.#held.length > 0) this.#searchHeld();
    return this.#reader.usage;
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.add(bytes);
    const before = bytes.length > 1 ? bytes[bytes.length - 2] : this.#lastTwo[1];
    this.#lastTwo = [before ?? 0, bytes[bytes.length - 1] ?? 0];
  }

  /** Where in these bytes the event ends that the held ones began; -1 when not yet. */
  #endOfHeld(bytes: Buffer): number {
    const [before, last] = this.#lastTwo;
    if (bytes[0] === LF && (last === LF || (last === CR && before === LF))) return 1;
    if (last === LF && bytes[0] === CR && bytes[1] === LF) return 2;
    return endOfFirstEvent(bytes);
  }

  #searchHeld(): void {
    const { isWhole } = this.#held;
    const bytes = this.#held.take();
    this.#lastTwo = [0, 0];
    if (isWhole) this.#search(bytes);
    else countLast(this.#reader, bytes);
  }

  /** @param events One or more, whole. */
  #search(events: Buffer): void {
    if (this.#reader.isLastAll) this.#searchFromEnd(events);
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

  /** Some servers count in every event, most of them in the last. */
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

  /** @param event Or all of them, where other line ends are used. */
  #read(event: Buffer, isFirst = false): boolean {
    return dataOf(event)
      .map((data, at) => this.#reader.read(data, isFirst && at === 0))
      .includes(true);
  }

  /** What follows the last count, where there was one: usage that was told before the answer does not cover it. */
  #pass(events: Buffer): void {
    if (!this.#reader.mayBeOutdatedBy(events)) return;
    for (const data of dataOf(events)) this.#reader.pass(data);
  }
}

function dataOf(events: Buffer): readonly string[] {
  const decoder = new ServerSentEventDecoder();
  return [...decoder.push(events), ...decoder.end()].map(({ data }) => data);
}

function countLast(reader: UsageReader, bytes: Buffer): void {
  const usage = lastUsage(bytes);
  if (usage !== undefined) reader.count(usage);
}
