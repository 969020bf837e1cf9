import type { FormatName, Usage } from '../../formats/conversation.ts';
import { createUsageScanner, type UsageScanner } from '../ledger/usageScanner.ts';
import { EndWatch } from './endWatch.ts';

/**
 * Reads what an answer used, and whether it broke off, from its passing bytes. Only the end is looked for at once; the
 * usage behind the client's back: Node.js sends what was written at the end of the current step, and then it is read.
 */
export class UsageMeter {
  readonly #scanner: UsageScanner;
  readonly #watch: EndWatch;
  #unread: (Uint8Array | string)[] = [];

  /** @param contentType Of the answer, which must not be compressed. */
  constructor(format: FormatName, contentType: string) {
    this.#scanner = createUsageScanner(format, contentType);
    this.#watch = new EndWatch(format);
  }

  /** Called after the chunk was written to the client. The chunk must not be changed any more. */
  add(chunk: Uint8Array | string): void {
    this.#watch.push(chunk);
    if (this.#unread.push(chunk) === 1) process.nextTick(this.#read);
  }

  /** Of a stream: whether it broke off before its last event. */
  get isCut(): boolean {
    return this.#watch.isCut;
  }

  /** The answer is over, or broke off. @returns undefined when it did not say what it used. */
  end(): Usage | undefined {
    this.#read();
    return this.#scanner.end();
  }

  readonly #read = (): void => {
    const chunks = this.#unread;
    this.#unread = [];
    for (const chunk of chunks) this.#scanner.push(chunk);
  };
}
