import type { ExchangeRecord } from '../../gateway/core/exchangeRecord.ts';

/** A route whose requests are answered by another model than the one that they were sent to first. */
export interface RouteMove {
  readonly route: string;
  /** As `upstream/model`. */
  readonly from: string;
  readonly to: string;
  /** The id of the request that was the first to move. */
  readonly exchange: string;
}

/** The routes that have moved, each until its first model answers again. */
export class RouteMoves {
  /** By the name of the route and the index of the rule, since other rules choose other models. */
  readonly #moves = new Map<string, RouteMove>();

  get all(): readonly RouteMove[] {
    return [...this.#moves.values()];
  }

  note({ id, route, upstream, model, upstreamModel, status = 0, attempts = [] }: ExchangeRecord): void {
    if (route === undefined || upstream === undefined || status === 0 || status >= 400) return;
    const key = `${route.name} ${route.rule ?? ''}`;
    const to = `${upstream}/${upstreamModel ?? model ?? ''}`;
    const known = this.#moves.get(key);
    const failed = attempts.find(({ failure }) => failure !== undefined);
    const from = known?.from ?? (failed && `${failed.upstream}/${failed.model}`);
    if (from === undefined || known?.to === to) return;
    if (from === to) this.#moves.delete(key);
    else this.#moves.set(key, { route: route.name, from, to, exchange: id });
  }

  clear(): void {
    this.#moves.clear();
  }
}
