import type { FormatName, Usage } from '../../formats/conversation.ts';
import { isEventStreamType } from '../http/answerHeaders.ts';
import { asBuffer } from '../http/asBuffer.ts';
import { workInTurn } from '../http/turns.ts';
import { EndWatch } from './endWatch.ts';
import { createUsageScanner, type UsageScanner } from './usageScanner.ts';

/** Bytes are read in blocks of this size, because starting a search costs as much as searching several kilobytes. */
const READ_AT_ONCE = 4 * 1024;

/** More than this is not left for the end of the step, because its time would count for no turn of the event loop. */
const MAX_UNREAD = 32 * 1024;

/**
 * Reads the usage of an answer, and whether it was cut off, from its passing bytes. Does not delay the client: Node.js
 * sends written bytes at the end of the current step, and they are read after that.
 */
export class UsageMeter {
  readonly #scanner: UsageScanner;
  readonly #watch: EndWatch;
  readonly format: FormatName;
  readonly #isStream: boolean;
  #unread: (Uint8Array | string)[] = [];
  #unreadLength = 0;
  #isDue = false;

  /** @param contentType the type of the answer, which must not be compressed. */
  constructor(format: FormatName, contentType: string) {
    this.#scanner = createUsageScanner(format, contentType);
    this.#watch = new EndWatch(format);
    this.format = format;
    this.#isStream = isEventStreamType(contentType);
  }

  /** Must be called after the chunk was written to the client. The chunk must not be modified afterwards. */
  add(chunk: Uint8Array | string): void {
    this.#unread.push(chunk);
    this.#unreadLength += chunk.length;
    if (this.#unreadLength >= MAX_UNREAD) this.#read();
    if (this.#unreadLength < READ_AT_ONCE || this.#isDue) return;
    this.#isDue = true;
    process.nextTick(this.#readDue);
  }

  /** For a stream: whether it was cut off before its last event. */
  get isCut(): boolean {
    this.#read();
    return this.#watch.isCut;
  }

  /** For a stream: whether it is complete, possibly except for the format's last event. */
  get hasAllOutput(): boolean {
    this.#read();
    return this.#watch.hasAllOutput;
  }

  /** For a stream: whether the format's last event has arrived. */
  get hasLastEvent(): boolean {
    this.#read();
    return this.#watch.hasEnded;
  }

  /** For a stream: whether its last event is an error reported by the upstream. */
  get hasFailed(): boolean {
    this.#read();
    return this.#watch.hasFailed;
  }

  /** Whether the usage that {@link end} returns is complete. */
  get isFinal(): boolean {
    const { isFinal, isUpToDate, isComplete } = this.#scanner.reader;
    if (!isComplete) return false;
    if (!this.#isStream) return isFinal;
    // In chat completions, upstreams that report usage in each event may not do so in the last.
    if (this.#watch.hasEnded) return isFinal || (isUpToDate && this.format === 'chat-completions');
    return isFinal && this.#watch.hasAllOutput;
  }

  /** For a stream: whether the input was only reported before the answer. */
  get isInputEarly(): boolean {
    return this.#scanner.reader.isInputEarly;
  }

  /** The upstream's own reason for a cache miss, if it reports one. Known at the end of the answer. */
  get upstreamMissReason(): string | undefined {
    return this.#scanner.reader.upstreamMissReason;
  }

  /** The number of web searches that the stream has shown. */
  get shownSearches(): number {
    return this.#scanner.reader.shownSearches;
  }

  /** Whether the answer names a tier, speed, or region whose prices are not the catalog's. */
  get hasUnlistedPrice(): boolean {
    return this.#scanner.reader.hasUnlistedPrice;
  }

  /** The model that answered, if it was read already. */
  get model(): string | undefined {
    return this.#scanner.reader.model;
  }

  /**
   * Called at the end of the answer, even if it was cut off.
   * @returns undefined if the answer has not reported its usage.
   */
  end(): Usage | undefined {
    this.#read();
    return this.#scanner.end();
  }

  readonly #readDue = (): void => {
    this.#isDue = false;
    workInTurn(this.#read, undefined);
  };

  readonly #read = (): void => {
    if (this.#unread.length === 0) return;
    const bytes = joined(this.#unread);
    this.#unread = [];
    this.#unreadLength = 0;
    this.#watch.push(bytes);
    this.#scanner.push(bytes);
  };
}

function joined(chunks: readonly (Uint8Array | string)[]): Buffer {
  const [first = ''] = chunks;
  return chunks.length === 1 ? asBuffer(first) : Buffer.concat(chunks.map(asBuffer));
}
