import type { RouteConditions } from '../../display/routeConditions.ts';
import type { Usage } from '../../formats/conversation.ts';

/** One of several upstreams that were considered for a request. */
export interface UpstreamAttempt {
  readonly upstream: string;
  /** As the upstream calls it. */
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Until it failed, or until its answer ended. */
  readonly durationMs: number;
  /** Of the upstream's answer, or what its error event means; absent when there was no answer. */
  readonly status?: number;
  /** Why another upstream was asked; absent for the one whose answer the client got. */
  readonly failure?: string;
  /** What it could not do, so that it was not asked: `tools`, `images`, `previous_response_id`, `context_window`. */
  readonly skipped?: string;
  /** What it used although it failed; absent when that cannot be billed. Never that of the exchange itself. */
  readonly usage?: Usage;
  /** True when the upstream has not told all that it used. */
  readonly usageIsEstimated?: boolean;
  /** By whose prices, where the service may have asked another model. */
  readonly answeredModel?: string;
  /** Models that the service may have asked instead. Not in the ledger. */
  readonly fallbackModels?: readonly string[];
  /** US dollars for `usage`, where its price is known. */
  readonly cost?: number;
}

/** What an upstream may bill although it gave no answer. */
export interface BilledFailure {
  /** As far as it was told. */
  readonly usage?: Usage;
  /** True when `usage` is all that was used. */
  readonly isWhole?: true;
}

/** The route of a request, and the rule that chose its models. */
export interface ChosenRoute {
  readonly name: string;
  /** The index of the rule in the route's `when`; absent when none applied. */
  readonly rule?: number;
  /** Of that rule. */
  readonly when?: RouteConditions;
}
