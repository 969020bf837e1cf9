import type { FormatName, Usage } from '../../formats/conversation.ts';
import { isEventStreamType } from '../http/answerHeaders.ts';
import { EndWatch } from './endWatch.ts';
import { createUsageScanner, type UsageScanner } from './usageScanner.ts';

/** Reads the usage of an answer from its passing bytes, and of a stream also whether it was cut off. */
export class UsageMeter {
  readonly #scanner: UsageScanner;
  /** Undefined if the answer is not a stream. */
  readonly #watch: EndWatch | undefined;
  readonly format: FormatName;

  /** @param contentType the type of the answer, which must not be compressed. */
  constructor(format: FormatName, contentType: string) {
    this.#scanner = createUsageScanner(format, contentType);
    if (isEventStreamType(contentType)) this.#watch = new EndWatch(format);
    this.format = format;
  }

  /** @param bytes must not be modified afterwards. */
  push(bytes: Buffer): void {
    this.#watch?.push(bytes);
    this.#scanner.push(bytes);
  }

  /** Whether a stream was cut off before its last event. */
  get isCut(): boolean {
    return this.#watch?.isCut === true;
  }

  /** Whether a stream is complete, possibly except for the format's last event. */
  get hasAllOutput(): boolean {
    return this.#watch?.hasAllOutput !== false;
  }

  /** Whether the format's last event of a stream has arrived. */
  get hasLastEvent(): boolean {
    return this.#watch?.hasEnded !== false;
  }

  /** Whether the last event of a stream is an error reported by the upstream. */
  get hasFailed(): boolean {
    return this.#watch?.hasFailed === true;
  }

  /** Whether the usage that {@link end} returns is complete. */
  get isFinal(): boolean {
    const { isFinal, isUpToDate, isComplete } = this.#scanner.reader;
    if (!isComplete) return false;
    if (this.#watch === undefined) return isFinal;
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
    return this.#scanner.end();
  }
}
