import type { ChosenRoute } from '../../ledger/upstreamAttempt.ts';
import type { Member } from './member.ts';
import { DEFAULT_TRIGGERS, type RouteLimits, type Trigger } from './routes/routeEntry.ts';

/** An upstream that offers the requested model, with the upstream's name for it. */
export interface Candidate {
  readonly member: Member;
  readonly model: string;
}

/** Which upstreams are asked for a request, and after which failures the next one is asked. */
export interface CallPlan {
  /** In the order in which they are asked. */
  readonly candidates: readonly Candidate[];
  readonly triggers: ReadonlySet<Trigger>;
  readonly limits: RouteLimits;
  readonly route?: ChosenRoute;
  /** Called when one of the candidates answers. */
  readonly onAnswer?: (candidate: Candidate) => void;
  /** True if there is only one upstream, so that the answer does not have to name it. */
  readonly isSingle?: boolean;
}

export const DEFAULT_TRIGGER_SET: ReadonlySet<Trigger> = new Set(DEFAULT_TRIGGERS);

/** Whether nothing is known against asking the candidate first. */
export function isHealthy({ member, model }: Candidate): boolean {
  return !member.circuit.isOpen && !member.pauses.isPaused(model);
}

/** Removes paused candidates unless all are paused, and moves candidates with an open circuit to the end. */
export function inOrder(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length < 2 || candidates.every(isHealthy)) return candidates;
  const ready = candidates.filter(({ member, model }) => !member.pauses.isPaused(model));
  const order = ready.length === 0 ? candidates : ready;
  return order.toSorted((a, b) => Number(a.member.circuit.isOpen) - Number(b.member.circuit.isOpen));
}
