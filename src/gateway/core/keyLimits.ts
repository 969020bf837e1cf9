/** How much a key may do. What is absent is not limited; all figures are more than 0. */
export interface KeyLimits {
  /** Requests in progress at the same time. */
  readonly parallel?: number;
  /** Requests sent within any 60 seconds. */
  readonly requestsPerMinute?: number;
  /** Tokens of input and output together, of the requests sent within any 60 seconds. */
  readonly tokensPerMinute?: number;
  /** US dollars for each session of a tool, with its subagents. A request does not wait for this limit. */
  readonly sessionDollars?: number;
}

/** The limits that a request can wait for: whole numbers. */
export type LimitName = Exclude<keyof KeyLimits, 'sessionDollars'>;

export const LIMIT_NAMES = ['parallel', 'requestsPerMinute', 'tokensPerMinute'] as const satisfies LimitName[];
