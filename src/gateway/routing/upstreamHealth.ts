import { Circuit } from './circuit.ts';
import type { Failure } from './failover/failure.ts';
import { Pauses } from './failover/pauses.ts';

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

/**
 * What is known from earlier requests about the availability of an upstream: whether it is asked, and for how long not.
 * Outlives a router.
 */
export class UpstreamHealth {
  readonly circuit = new Circuit();
  readonly pauses = new Pauses();
  /** Whether an answer changes anything. A plain member, because each answer asks. */
  isTroubled = false;

  /** @param sentAt when the request was sent, on the clock of `performance.now()`. */
  answered(model: string, sentAt: number): void {
    this.circuit.succeeded();
    this.pauses.succeeded(model, sentAt);
    this.isTroubled = this.circuit.hasFailed || !this.pauses.isEmpty;
  }

  /** @param sentAt when the request was sent, on the clock of `performance.now()`. */
  failed(model: string, failure: Failure, sentAt: number): void {
    const { trigger } = failure;
    this.isTroubled = true;
    this.pauses.failed(model, failure, sentAt);
    if (ALIVE.has(trigger)) this.circuit.succeeded();
    else if (trigger !== 'auth') this.circuit.failed();
  }
}
