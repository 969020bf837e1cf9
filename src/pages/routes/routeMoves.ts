import type { ExchangeRecord } from '../../gateway/core/exchangeRecord.ts';

/** A route whose requests are answered by another model than the one that they are sent to first. */
export interface RouteMove {
  readonly route: string;
  /** The index of the rule that chose the models. Undefined if there is none. */
  readonly rule?: number;
  /** In the form `upstream/model`. */
  readonly from: string;
  readonly to: string;
  /** The ID of the first request that was moved. */
  readonly exchange: string;
}

/** The moves by route name and rule index, because each rule chooses its own models. */
export type RouteMoves = ReadonlyMap<string, RouteMove>;

/** Updates the moved routes after a request. A move is kept until the route's first model answers again. */
export function movesAfter(moves: RouteMoves, record: ExchangeRecord): RouteMoves {
  const { id, route, upstream, model = '', upstreamModel = model, status = 0, attempts = [] } = record;
  if (route === undefined || upstream === undefined || status === 0 || status >= 400) return moves;
  const key = `${route.name} ${route.rule ?? ''}`;
  const to = `${upstream}/${upstreamModel}`;
  const known = moves.get(key);
  const failed = attempts.find(({ failure }) => failure !== undefined);
  const from = known?.from ?? (failed && `${failed.upstream}/${failed.model}`);
  if (from === undefined || known?.to === to) return moves;
  const others = [...moves].filter(([name]) => name !== key);
  if (from === to) return new Map(others);
  const { name, rule } = route;
  return new Map([...others, [key, { route: name, ...(rule !== undefined && { rule }), from, to, exchange: id }]]);
}
