/** A part of a run's cap that only its holder may spend. */
export interface HeldPart {
  /** In US dollars. */
  readonly amount: number;
  /** Releases the unspent rest. */
  release(): void;
}

/** In a US dollar. */
const BILLIONTHS = 1e9;

interface Held {
  readonly amount: number;
  /** What its holder has spent of it, which also counts in what the run has spent. */
  readonly spent: () => number;
}

/**
 * Divides what a run may still spend. What is reserved counts as spent until it is given back, so that helpers cannot
 * use the same rest. Amounts are in US dollars.
 */
export class RunBudget {
  readonly #cap: () => number;
  readonly #spent: () => number;
  readonly #held = new Set<Held>();

  /**
   * @param cap the most that the run may spend; 0 without a cap.
   * @param spent what the run has spent, with its helpers.
   */
  constructor(cap: () => number, spent: () => number) {
    this.#cap = cap;
    this.#spent = spent;
  }

  /** What is neither spent nor reserved; infinite without a cap. */
  get left(): number {
    const cap = this.#cap();
    if (cap === 0) return Number.POSITIVE_INFINITY;
    const reserved = [...this.#held].reduce((sum, { amount, spent }) => sum + Math.max(0, amount - spent()), 0);
    return cap - this.#spent() - reserved;
  }

  /** Reserves an amount at once, or returns undefined if it is no longer there. */
  reserve(amount: number, spent: () => number): HeldPart | undefined {
    const before = spent();
    // Sums of amounts in dollars are not exact.
    if (Math.round((amount - this.left) * BILLIONTHS) > 0) return undefined;
    const held: Held = { amount, spent: () => spent() - before };
    this.#held.add(held);
    return { amount, release: () => void this.#held.delete(held) };
  }
}
