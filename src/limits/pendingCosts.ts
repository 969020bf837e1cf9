import { Account } from '../rules/account.ts';

/**
 * The possible cost of calls in progress, in US dollars, so that parallel calls cannot all pass a limit that is almost
 * reached. A call that has ended counts until the sums are read again, because only then do they include its actual cost.
 */
export class PendingCosts {
  readonly #account = new Account<object>();
  readonly #ended = new Set<object>();

  get sum(): number {
    return this.#account.reserved;
  }

  /** Returns a function to call when the call has ended and its entry was sent to the ledger. */
  reserve(cost: number): () => void {
    const call = {};
    this.#account.reserve(call, cost);
    return () => void this.#ended.add(call);
  }

  /** Call this before the sums are read. Returns a function to call after they were read. */
  reading(): () => void {
    const known = [...this.#ended];
    return () => {
      for (const call of known) {
        this.#account.settle(call);
        this.#ended.delete(call);
      }
    };
  }
}
