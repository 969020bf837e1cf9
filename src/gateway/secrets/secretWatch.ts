import { WorkerClient } from '../core/workerClient.ts';

/** Longer bodies are not searched. */
const MAX_SEARCHED_BYTES = 8 * 1024 * 1024;
/** Of all bodies that wait for the search; what comes beyond is not searched. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** The rules take 20 ms for a megabyte. A search that takes longer than this is given up, and the thread with it. */
const MAX_SEARCH_MS = 10_000;

type Kinds = readonly string[];

/**
 * Searches requests for secrets after they were sent, one after the other in a thread of its own. What it tells are kinds
 * of secrets, never the secrets.
 */
export class SecretWatch {
  readonly #thread = new WorkerClient<Uint8Array, Kinds>({
    beside: import.meta.url,
    entry: 'secretThread',
    name: 'secret search',
  });
  /** For requests from now on. */
  isOn = false;
  readonly #onProblem: (error: unknown) => void;
  readonly #searches = new Map<string, Promise<Kinds>>();
  #last: Promise<unknown> = Promise.resolve();
  #waitingBytes = 0;

  /** @param onProblem told why a request could not be searched. */
  constructor(onProblem: (error: unknown) => void) {
    this.#onProblem = onProblem;
  }

  /** Whether a body of this length is searched now. */
  takes(length: number): boolean {
    return this.isOn && length <= MAX_SEARCHED_BYTES && this.#waitingBytes + length <= MAX_WAITING_BYTES;
  }

  /** The request of an exchange has gone to its upstream. */
  sent(exchangeId: string, body: Uint8Array): void {
    if (!this.takes(body.length)) return;
    this.#waitingBytes += body.length;
    const search = this.#last.then(() => this.#search(body));
    this.#last = search;
    this.#searches.set(exchangeId, search);
  }

  /**
   * The exchange is over.
   * @returns what was found, as soon as it was searched; `undefined` if it is not searched. Never rejects.
   */
  ended(exchangeId: string): Promise<Kinds> | undefined {
    const search = this.#searches.get(exchangeId);
    this.#searches.delete(exchangeId);
    return search;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #search(body: Uint8Array): Promise<Kinds> {
    // A copy of its own: the body may lie in memory that it shares with others.
    const copy = new Uint8Array(body);
    const timer = setTimeout(() => void this.#thread.close(), MAX_SEARCH_MS);
    try {
      return await this.#thread.ask(copy, [copy.buffer]);
    } catch (error) {
      this.#onProblem(new Error('A request could not be searched for secrets.', { cause: error }));
      return [];
    } finally {
      clearTimeout(timer);
      this.#waitingBytes -= body.length;
    }
  }
}
