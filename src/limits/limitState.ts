/** A limit of the service key and the amount spent in the current day or month, in US dollars. */
export interface LimitState {
  readonly period: 'daily' | 'monthly';
  readonly limit: number;
  readonly spent: number;
}

export type LimitLevel = 'normal' | 'near' | 'reached';

/** The share of a limit from which it is mentioned. */
const NEAR = 0.8;

/** The limit with the largest share spent. */
export function tightest(states: readonly LimitState[]): LimitState | undefined {
  return states.reduce<LimitState | undefined>(
    (nearest, state) => (nearest === undefined || shareOf(state) > shareOf(nearest) ? state : nearest),
    undefined,
  );
}

export function limitLevel(states: readonly LimitState[]): LimitLevel {
  const nearest = tightest(states);
  if (nearest === undefined || shareOf(nearest) < NEAR) return 'normal';
  return shareOf(nearest) < 1 ? 'near' : 'reached';
}

/**
 * Returns the first limit that is reached, or that a further cost would exceed.
 * @param underWay The possible cost of calls in progress; counts as spent.
 */
export function passedBy(states: readonly LimitState[], cost = 0, underWay = 0): LimitState | undefined {
  return states.find(({ limit, spent }) => spent + underWay >= limit || spent + underWay + cost > limit);
}

/** The spent share of the limit; above 1 if it is exceeded. */
export function shareOf({ limit, spent }: LimitState): number {
  return spent / limit;
}
