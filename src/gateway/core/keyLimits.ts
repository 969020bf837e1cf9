/** How much a key may do at once. What is absent is not limited; all figures are whole and more than 0. */
export interface KeyLimits {
  /** Requests in progress at the same time. */
  readonly parallel?: number;
  /** Requests sent within any 60 seconds. */
  readonly requestsPerMinute?: number;
  /** Tokens of input and output together, of the requests sent within any 60 seconds. */
  readonly tokensPerMinute?: number;
}

export type LimitName = keyof KeyLimits;

export const LIMIT_NAMES = ['parallel', 'requestsPerMinute', 'tokensPerMinute'] as const satisfies LimitName[];
