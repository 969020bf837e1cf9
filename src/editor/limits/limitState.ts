/** How a limit of the service's key stands in the present day or month. US dollars. */
export interface LimitState {
  readonly period: 'daily' | 'monthly';
  readonly limit: number;
  readonly spent: number;
}

export type LimitLevel = 'normal' | 'near' | 'reached';

/** From this share on it is said. */
const NEAR = 0.8;

/** The one that has most of it spent. */
export function tightest(states: readonly LimitState[]): LimitState | undefined {
  return states.reduce<LimitState | undefined>(
    (most, state) => (most === undefined || shareOf(state) > shareOf(most) ? state : most),
    undefined,
  );
}

export function limitLevel(states: readonly LimitState[]): LimitLevel {
  const most = tightest(states);
  if (most === undefined || shareOf(most) < NEAR) return 'normal';
  return shareOf(most) < 1 ? 'near' : 'reached';
}

/**
 * The first limit that is reached, or would be passed by a further cost.
 * @param underWay What the calls under way may cost; counts as spent.
 */
export function passedBy(states: readonly LimitState[], cost = 0, underWay = 0): LimitState | undefined {
  return states.find(({ limit, spent }) => spent + underWay >= limit || spent + underWay + cost > limit);
}

/** Of the limit that is spent; above 1 when it is passed. */
export function shareOf({ limit, spent }: LimitState): number {
  return spent / limit;
}
