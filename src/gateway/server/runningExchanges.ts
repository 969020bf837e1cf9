import type { Exchange } from '../exchanges/exchange.ts';

/** A set of exchanges, and the function to call when the last of them has ended. */
interface Awaited {
  readonly exchanges: Set<Exchange>;
  readonly resolve: () => void;
}

export class RunningExchanges extends Set<Exchange> {
  readonly #awaited = new Set<Awaited>();

  override delete(exchange: Exchange): boolean {
    for (const awaited of this.#awaited) {
      awaited.exchanges.delete(exchange);
      if (awaited.exchanges.size > 0) continue;
      this.#awaited.delete(awaited);
      awaited.resolve();
    }
    return super.delete(exchange);
  }

  /** Resolves when all exchanges that are running now have ended. Later ones are ignored. */
  async ended(): Promise<void> {
    if (this.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited.add({ exchanges: new Set(this), resolve });
    await promise;
  }
}
