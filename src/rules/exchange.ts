/** The sender of a request: a tool through the gateway, or a part of the editor. */
export type RequestSource =
  | 'gateway'
  | 'chatPanel'
  | 'chatTitle'
  | 'codeMerge'
  | 'nativeChat'
  | 'command'
  | 'inlineSuggestion';

/**
 * How an exchange ended. `refused`: the gateway refused it, possibly during the answer because its key was revoked,
 * rotated, or expired. `budget`: the gateway refused it because the key's budget did not cover the request.
 * `clientLeft`: the client disconnected before the end; some clients do so as soon as they have read the last event
 * that they need. `cancelled`: a user canceled it in the editor. `lost`: its process ended before the answer did.
 */
export type ExchangeEnd = 'completed' | 'clientLeft' | 'upstreamFailed' | 'refused' | 'budget' | 'cancelled' | 'lost';

/**
 * What the usage of an exchange follows from. `reported`: the upstream reported it. `visible`: it was not reported, and is
 * what the answer shows. `time`: the answer may have hidden output, and the usage is what the model can have written in the
 * time. `reservation`: the maximum that the request allowed.
 */
export type UsageBound = 'reported' | 'visible' | 'time' | 'reservation';

/** The deviation of estimates for a model's input from the usage that its upstream reported. */
export interface Accuracy {
  /** The mean deviation as a fraction, such as 0.04. */
  readonly error: number;
  /** The number of reports that were compared. */
  readonly reports: number;
}

/** `stopped`: the client disconnected or a user canceled it. `refused`: the gateway refused it. */
export type Outcome = 'completed' | 'failed' | 'refused' | 'stopped';

export const OUTCOMES: readonly Outcome[] = ['completed', 'failed', 'refused', 'stopped'];

/**
 * The outcome of each end. A `completed` exchange still counts as failed if its status is {@link MIN_FAILED_STATUS} or
 * above.
 */
export const OUTCOME_OF_END: Readonly<Record<ExchangeEnd, Outcome>> = {
  completed: 'completed',
  upstreamFailed: 'failed',
  refused: 'refused',
  budget: 'refused',
  clientLeft: 'stopped',
  cancelled: 'stopped',
  lost: 'failed',
};

export const MIN_FAILED_STATUS = 400;

export interface ExchangeEnding {
  /** Undefined while the exchange is running. */
  readonly end?: ExchangeEnd;
  /** The HTTP status that was sent to the caller. */
  readonly status?: number;
}

export function outcomeOf({ end, status = 0 }: ExchangeEnding): Outcome | 'running' {
  if (end === undefined) return 'running';
  const outcome = OUTCOME_OF_END[end];
  return outcome === 'completed' && status >= MIN_FAILED_STATUS ? 'failed' : outcome;
}

/** The usage of an exchange's answer, and of its failed attempts that were billed. */
export function billedUsages<Usage>(exchange: {
  readonly usage?: Usage;
  readonly attempts?: readonly { readonly usage?: Usage }[];
}): readonly Usage[] {
  const { usage, attempts = [] } = exchange;
  return [usage, ...attempts.map((attempt) => attempt.usage)].filter((each) => each !== undefined);
}
