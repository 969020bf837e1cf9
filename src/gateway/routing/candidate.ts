import type { ChosenRoute } from '../core/upstreamAttempt.ts';
import type { Member } from './member.ts';
import type { RouteLimits, Trigger } from './routes/routeEntry.ts';
import { DEFAULT_TRIGGERS } from './routes/routeEntry.ts';

/** An upstream that offers the model, and what it calls it. */
export interface Candidate {
  readonly member: Member;
  readonly model: string;
}

/** Who is asked for a request, and when the next one is. */
export interface CallPlan {
  /** In the order in which they are asked. */
  readonly candidates: readonly Candidate[];
  readonly triggers: ReadonlySet<Trigger>;
  readonly limits: RouteLimits;
  readonly route?: ChosenRoute;
  /** Called when one of the candidates answers. */
  readonly onAnswer?: (candidate: Candidate) => void;
  /** True where there is nobody else, so that an answer need not say whose it is. */
  readonly isSingle?: boolean;
}

export const DEFAULT_TRIGGER_SET: ReadonlySet<Trigger> = new Set(DEFAULT_TRIGGERS);

/**
 * Without those that are paused, as long as there are others, and with those that are dead at the end. Where all are
 * paused, all remain: whoever has no choice asks again.
 */
export function inOrder(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const ready = candidates.filter(({ member, model }) => !member.pauses.isPaused(model));
  const order = ready.length === 0 ? candidates : ready;
  return order.toSorted((a, b) => Number(a.member.circuit.isOpen) - Number(b.member.circuit.isOpen));
}
