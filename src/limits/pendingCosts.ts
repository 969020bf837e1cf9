/** The maximum cost of a call until its actual cost is known, in US dollars. */
interface PendingCost {
  readonly cost: number;
}

/**
 * The possible cost of calls in progress, so that parallel calls cannot all pass a limit that is almost reached.
 * A call that has ended counts until the sums are read again, because only then do they include its actual cost.
 */
export class PendingCosts {
  readonly #running = new Set<PendingCost>();
  readonly #ended = new Set<PendingCost>();

  /** In US dollars. */
  get sum(): number {
    return [...this.#running, ...this.#ended].reduce((sum, { cost }) => sum + cost, 0);
  }

  /** Returns a function to call when the call has ended and its entry was sent to the ledger. */
  reserve(cost: number): () => void {
    const share = { cost };
    this.#running.add(share);
    return () => {
      if (this.#running.delete(share)) this.#ended.add(share);
    };
  }

  /** Call this before the sums are read. Returns a function to call after they were read. */
  reading(): () => void {
    const known = [...this.#ended];
    return () => {
      for (const share of known) this.#ended.delete(share);
    };
  }
}
