import type { ExchangeRecord } from '../../gateway/core/exchangeRecord.ts';

/** A route whose requests are answered by another model than the one that they were sent to first. */
export interface RouteMove {
  readonly route: string;
  /** The index of the rule that chose the models; absent where none did. */
  readonly rule?: number;
  /** As `upstream/model`. */
  readonly from: string;
  readonly to: string;
  /** The id of the request that was the first to move. */
  readonly exchange: string;
}

/** By the name of the route and the index of the rule, since other rules choose other models. */
export type RouteMoves = ReadonlyMap<string, RouteMove>;

/** The routes that have moved, after another request: each is told once, until its first model answers again. */
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
