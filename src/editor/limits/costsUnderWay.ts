/** What one call may cost until its end is known. In US dollars. */
interface Share {
  readonly cost: number;
}

/**
 * What the calls under way may cost, so that many at once cannot all pass a limit of which little is left. A call that
 * has ended counts until the sums are read again, since only they have what it did cost.
 */
export class CostsUnderWay {
  readonly #running = new Set<Share>();
  readonly #ended = new Set<Share>();

  /** US dollars. */
  get sum(): number {
    return [...this.#running, ...this.#ended].reduce((sum, { cost }) => sum + cost, 0);
  }

  /** @returns what to call at the call's end, when it is handed to the ledger. */
  setAside(cost: number): () => void {
    const share = { cost };
    this.#running.add(share);
    return () => {
      if (this.#running.delete(share)) this.#ended.add(share);
    };
  }

  /** The sums are about to be read. @returns what to call when they were. */
  reading(): () => void {
    const known = [...this.#ended];
    return () => {
      for (const share of known) this.#ended.delete(share);
    };
  }
}
