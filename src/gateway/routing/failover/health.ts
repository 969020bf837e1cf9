/**
 * Updates the health of upstreams after each attempt. It determines which upstreams are not asked, and for how long.
 */
import type { Candidate } from '../candidate.ts';
import type { Failure } from './failure.ts';

/** After these failures, the upstream is known to be available, because it has answered. */
const ALIVE: ReadonlySet<Failure['trigger']> = new Set([
  'rate',
  'gone',
  'credit',
  'overflow',
  'refusal',
  'filter',
  undefined,
]);

/** @param sentAt when the request was sent, on the clock of the upstream's pauses. */
export function noteAnswer({ member, model }: Candidate, sentAt: number): void {
  member.circuit.succeeded();
  member.pauses.succeeded(model, sentAt);
}

/** @param sentAt when the request was sent, on the clock of the upstream's pauses. */
export function noteFailure({ member, model }: Candidate, failure: Failure, sentAt: number): void {
  const { trigger } = failure;
  member.pauses.failed(model, failure, sentAt);
  if (ALIVE.has(trigger)) member.circuit.succeeded();
  else if (trigger !== 'auth') member.circuit.failed();
}
