import type { FormatName } from '../../formats/conversation.ts';
import type { Usage } from '../../formats/usage.ts';
import { EndWatch } from './endWatch.ts';
import type { ReportedCount, UsageReader } from './usageReader.ts';
import { createUsageScanner, type UsageScanner } from './usageScanner.ts';

/** Reads the usage of an answer from its passing bytes, and of a stream also whether it was cut off. */
export class UsageMeter {
  readonly #scanner: UsageScanner;
  /** Undefined if the answer is not a stream. */
  readonly #watch: EndWatch | undefined;
  readonly format: FormatName;
  /** What was read so far. Complete at the end of the answer. */
  readonly reader: UsageReader;

  /** @param isStream whether the answer is a stream of events. It must not be compressed. */
  constructor(format: FormatName, isStream: boolean) {
    this.#scanner = createUsageScanner(format, isStream);
    if (isStream) this.#watch = new EndWatch(format);
    this.format = format;
    this.reader = this.#scanner.reader;
  }

  /** @param bytes must not be modified afterwards. */
  push(bytes: Buffer): void {
    this.#watch?.push(bytes);
    this.#scanner.push(bytes);
  }

  /** The last events of a stream. */
  get lastBytes(): Buffer | undefined {
    return this.#watch?.lastBytes;
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
    if (!this.reader.isComplete) return false;
    const { isFinal } = this.reader;
    if (this.#watch === undefined) return isFinal;
    // In chat completions, upstreams that report usage in each event may not do so in the last.
    if (this.#watch.hasEnded) return isFinal || (this.reader.isUpToDate && this.format === 'chat-completions');
    return isFinal && this.#watch.hasAllOutput;
  }

  /** Returns what the answer has reported. Called at its end, even if it was cut off. */
  reported(): ReportedCount | undefined {
    this.end();
    return this.reader.reported(this.isFinal);
  }

  /**
   * Called at the end of the answer, even if it was cut off.
   * @returns undefined if the answer has not reported its usage.
   */
  end(): Usage | undefined {
    return this.#scanner.end();
  }
}
