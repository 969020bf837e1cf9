import type { RouteConditions } from '../display/routeConditions.ts';
import type { Usage } from '../formats/usage.ts';
import type { UsageBound } from '../rules/exchange.ts';

export interface UpstreamAttempt {
  readonly upstream: string;
  /** The upstream's name for the model. */
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Until it failed, or until its answer ended. */
  readonly durationMs: number;
  /**
   * The status of the upstream's answer, or the one that its error event corresponds to. Undefined if there was no
   * answer.
   */
  readonly status?: number;
  /** Why another upstream was asked. Undefined for the one whose answer the client received. */
  readonly failure?: string;
  /**
   * Why the upstream was skipped: `tools`, `images`, `previous_response_id`, `compaction` or another part of the request,
   * or `context_window`, which it does not support.
   */
  readonly skipped?: string;
  /** The usage of a failed attempt. Undefined if it cannot be billed. Never the usage of the exchange itself. */
  readonly usage?: Usage;
  /** True if the upstream has not reported all of its usage. */
  readonly usageIsEstimated?: boolean;
  /** What the usage follows from, if it was not reported. */
  readonly usageBound?: Exclude<UsageBound, 'reported'>;
  /** The model whose prices apply, if the service may have used another one. */
  readonly answeredModel?: string;
  /** Models that the service may have used instead. Not in the ledger. */
  readonly fallbackModels?: readonly string[];
  /** US dollars for `usage`, if its price is known. */
  readonly cost?: number;
}

export interface BilledFailure {
  readonly usage?: Usage;
  /** True if `usage` is complete. */
  readonly isWhole?: true;
}

/** The route of a request, and the rule that chose its models. */
export interface ChosenRoute {
  readonly name: string;
  /** The index of the rule in the route's `when`. Undefined if none applied. */
  readonly rule?: number;
  /** The conditions of that rule. */
  readonly when?: RouteConditions;
}
