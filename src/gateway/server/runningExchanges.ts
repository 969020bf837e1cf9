import type { Exchange } from '../exchanges/exchange.ts';

/** Some exchanges, and who waits for the end of the last of them. */
interface Awaited {
  readonly exchanges: Set<Exchange>;
  readonly resolve: () => void;
}

/** The exchanges under way. */
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

  /** Resolves when all that are under way now have ended, whatever begins meanwhile. */
  async ended(): Promise<void> {
    if (this.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited.add({ exchanges: new Set(this), resolve });
    await promise;
  }
}
