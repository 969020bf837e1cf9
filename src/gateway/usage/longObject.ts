import { ObjectScanner } from '../http/objectScanner.ts';
import { findObject } from '../http/usageKey.ts';
import { QuotedWord } from '../http/wordSearch.ts';

/** The members of an answer, in any format, that determine what it costs. */
const WANTED: ReadonlySet<string> = new Set(['type', 'status', 'model', 'service_tier', 'usage', 'tool_usage']);

/** Longer answers are not read, because text with many escaped characters takes 6 ms for each megabyte. */
const MAX_READ = 16 * 1024 * 1024;

/** The responses format has the answer under this key of its events. */
const ANSWER = new QuotedWord('response');

/** Reads the members that determine the cost of an answer too long to be held, from its passing bytes. */
export class LongObject {
  readonly #isEvent: boolean;
  readonly #scanner = new ObjectScanner(WANTED);
  #hasBegun = false;
  #read = 0;

  /** @param isEvent whether the bytes are an event of the responses format. */
  constructor(isEvent: boolean) {
    this.#isEvent = isEvent;
  }

  /** The first piece must contain the beginning of the object. */
  push(bytes: Buffer): void {
    const start = this.#hasBegun ? 0 : this.#startIn(bytes);
    this.#hasBegun = true;
    this.#read += bytes.length;
    if (start !== -1 && this.#read <= MAX_READ) this.#scanner.push(bytes.subarray(start));
  }

  /** The members as an object of their own. Undefined if the usage was not found. */
  get json(): string | undefined {
    const { values } = this.#scanner;
    if (!values.has('usage')) return undefined;
    return `{${[...values].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
  }

  #startIn(bytes: Buffer): number {
    return this.#isEvent ? findObject(bytes, ANSWER) : bytes.indexOf('{');
  }
}
