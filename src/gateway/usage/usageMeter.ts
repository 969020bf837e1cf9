import type { FormatName, Usage } from '../../formats/conversation.ts';
import { asBuffer } from '../http/asBuffer.ts';
import { EndWatch } from './endWatch.ts';
import { createUsageScanner, isEventStream, type UsageScanner } from './usageScanner.ts';

/** So many bytes are read at once: to begin a search costs as much as to search some kilobytes. */
const READ_AT_ONCE = 4 * 1024;

/**
 * Reads what an answer used, and whether it broke off, from its passing bytes. It reads behind the client's back: Node.js
 * sends what was written at the end of the current step, and then it is read.
 */
export class UsageMeter {
  readonly #scanner: UsageScanner;
  readonly #watch: EndWatch;
  readonly #format: FormatName;
  readonly #isStream: boolean;
  #unread: (Uint8Array | string)[] = [];
  #unreadLength = 0;
  #isDue = false;

  /** @param contentType Of the answer, which must not be compressed. */
  constructor(format: FormatName, contentType: string) {
    this.#scanner = createUsageScanner(format, contentType);
    this.#watch = new EndWatch(format);
    this.#format = format;
    this.#isStream = isEventStream(contentType);
  }

  /** Called after the chunk was written to the client. The chunk must not be changed any more. */
  add(chunk: Uint8Array | string): void {
    this.#unread.push(chunk);
    this.#unreadLength += chunk.length;
    if (this.#unreadLength < READ_AT_ONCE || this.#isDue) return;
    this.#isDue = true;
    process.nextTick(this.#read);
  }

  /** Of a stream: whether it broke off before its last event. */
  get isCut(): boolean {
    this.#read();
    return this.#watch.isCut;
  }

  /** Of a stream: whether all is said, apart from the format's last event. */
  get hasSaidAll(): boolean {
    this.#read();
    return this.#watch.hasSaidAll;
  }

  /** Of a stream: whether the format's last event has come. */
  get hasLastEvent(): boolean {
    this.#read();
    return this.#watch.hasEnded;
  }

  /** Of a stream: whether its last event is the upstream's own word of an error. */
  get hasFailed(): boolean {
    this.#read();
    return this.#watch.hasFailed;
  }

  /** Whether what {@link end} gives is all that was used. */
  get isFinal(): boolean {
    const { isFinal, isUpToDate, isComplete } = this.#scanner;
    if (!isComplete) return false;
    if (!this.#isStream) return isFinal;
    // Chat completions that count in each event may not do so in the last.
    if (this.#watch.hasEnded) return isFinal || (isUpToDate && this.#format === 'chat-completions');
    return isFinal && this.#watch.hasSaidAll;
  }

  /** Of a stream: whether the input was told before the answer alone. */
  get isInputEarly(): boolean {
    return this.#scanner.isInputEarly;
  }

  /** The model that answered, as far as it was read. */
  get model(): string | undefined {
    return this.#scanner.model;
  }

  /** The answer is over, or broke off. @returns undefined when it did not say what it used. */
  end(): Usage | undefined {
    this.#read();
    return this.#scanner.end();
  }

  readonly #read = (): void => {
    this.#isDue = false;
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
