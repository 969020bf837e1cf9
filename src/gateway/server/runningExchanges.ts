import type { Exchange } from '../exchanges/exchange.ts';

export class RunningExchanges extends Set<Exchange> {
  readonly #awaited = new Set<{ readonly exchanges: Set<Exchange>; readonly resolve: () => void }>();
  /** Whether {@link reportEnd} must be called. Read only. */
  isAwaited = false;

  /** Called with an exchange that has ended if somebody waits for some. */
  reportEnd(exchange: Exchange): void {
    for (const { exchanges, resolve } of this.#awaited) {
      exchanges.delete(exchange);
      if (exchanges.size === 0) resolve();
    }
  }

  /** Resolves when all exchanges that are running now have ended, or after `maxMs`. Later ones are ignored. */
  async ended(maxMs?: number): Promise<void> {
    if (this.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const awaited = { exchanges: new Set(this), resolve };
    const timer = maxMs === undefined ? undefined : setTimeout(resolve, maxMs);
    this.#awaited.add(awaited);
    this.isAwaited = true;
    await promise;
    clearTimeout(timer);
    this.#awaited.delete(awaited);
    this.isAwaited = this.#awaited.size > 0;
  }
}
