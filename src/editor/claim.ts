/** What the holder of a {@link Claim} has while its work goes on. */
export interface HeldClaim {
  /** Aborted when the work is to be given up. The holder checks it after each `await`, before it acts. */
  readonly stop: AbortSignal;
  /** Ends the claim before the work has ended. Call it once something else shows that the work is in progress. */
  end(): void;
}

interface Held extends HeldClaim {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/**
 * A claim on something that must not happen twice at the same time. It is taken before the first `await`, so that a
 * second caller is refused however long the work of the first one takes.
 */
export class Claim {
  readonly #onDidChange: () => void;
  #held: Held | undefined;

  /** @param onDidChange called when the claim was taken, and when it has ended. */
  constructor(onDidChange: () => void = () => undefined) {
    this.#onDidChange = onDidChange;
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Resolves when the claim that is held now has ended. */
  get ended(): Promise<void> {
    return this.#held?.ended ?? Promise.resolve();
  }

  /** Does the work, unless other work holds the claim. Returns undefined in that case. */
  async hold<T>(work: (claim: HeldClaim) => Promise<T>): Promise<T | undefined> {
    if (this.#held !== undefined) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const abort = new AbortController();
    const end = () => {
      if (this.#held !== held) return;
      this.#held = undefined;
      resolve();
      this.#onDidChange();
    };
    const held: Held = { stop: abort.signal, end, abort, ended: promise };
    this.#held = held;
    this.#onDidChange();
    try {
      return await work(held);
    } finally {
      end();
    }
  }

  /** Tells the holder to give the work up. */
  stop(): void {
    this.#held?.abort.abort();
  }
}
