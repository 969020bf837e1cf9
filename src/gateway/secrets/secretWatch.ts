import type { SearchThread } from './searchThread.ts';

/** Longer bodies are not searched. */
const MAX_SEARCHED_BYTES = 8 * 1024 * 1024;
/** Total size of the bodies waiting to be searched. Bodies beyond this limit are not searched. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

type SecretKinds = readonly string[];

/**
 * Searches requests for secrets after they were sent, one after the other. Reports only the kinds of secrets, never
 * their values.
 */
export class SecretWatch {
  readonly #thread: SearchThread;
  /** Whether a request whose exchange has not ended was given to be searched. */
  isSearching = false;
  readonly #onProblem: (error: unknown) => void;
  readonly #searches = new Map<string, Promise<SecretKinds>>();
  #last: Promise<unknown> = Promise.resolve();
  #waitingBytes = 0;

  /** @param onProblem called with the reason why a request could not be searched. */
  constructor(thread: SearchThread, onProblem: (error: unknown) => void) {
    this.#thread = thread;
    this.#onProblem = onProblem;
  }

  /** Whether a body of this length would be searched now. */
  takes(length: number): boolean {
    return length <= MAX_SEARCHED_BYTES && this.#waitingBytes + length <= MAX_WAITING_BYTES;
  }

  /** Called when the request of an exchange has been sent to its upstream. */
  sent(exchangeId: string, body: Uint8Array): void {
    if (!this.takes(body.length)) return;
    this.#waitingBytes += body.length;
    const search = this.#last.then(() => this.#search(body));
    this.#last = search;
    this.#searches.set(exchangeId, search);
    this.isSearching = true;
  }

  /**
   * Called when the exchange has ended.
   * @returns the kinds that were found, once the search is done; `undefined` if the request is not searched. Never
   *   rejects.
   */
  ended(exchangeId: string): Promise<SecretKinds> | undefined {
    const search = this.#searches.get(exchangeId);
    this.#searches.delete(exchangeId);
    this.isSearching = this.#searches.size > 0;
    return search;
  }

  async #search(body: Uint8Array): Promise<SecretKinds> {
    try {
      return await this.#thread.kindsIn(body);
    } catch (error) {
      this.#onProblem(new Error('A request could not be searched for secrets.', { cause: error }));
      return [];
    } finally {
      this.#waitingBytes -= body.length;
    }
  }
}
