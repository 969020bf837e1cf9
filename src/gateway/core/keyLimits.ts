/** Limits of a key. A member that is undefined is not limited. All figures are greater than 0. */
export interface KeyLimits {
  /** Number of requests in progress at the same time. */
  readonly parallel?: number;
  /** Number of requests sent within any 60 seconds. */
  readonly requestsPerMinute?: number;
  /** Input and output tokens of the requests sent within any 60 seconds. */
  readonly tokensPerMinute?: number;
  /** US dollars for each session of a tool, including its subagents. A request does not wait for this limit. */
  readonly sessionDollars?: number;
}

/** How long a request waits for these limits at most, in milliseconds. Later, it is refused. */
export const MAX_WAIT_MS = 30_000;

/** The limits that a request can wait for. They are whole numbers. */
export type LimitName = Exclude<keyof KeyLimits, 'sessionDollars'>;

export const LIMIT_NAMES = ['parallel', 'requestsPerMinute', 'tokensPerMinute'] as const satisfies LimitName[];

export const ALL_LIMIT_NAMES = [...LIMIT_NAMES, 'sessionDollars'] as const satisfies (keyof KeyLimits)[];

/** The used limits and the queue of a local key at one moment. */
export interface QueueState {
  readonly localKeyId: string;
  /** Requests in progress that count as parallel. */
  readonly running: number;
  /** Requests sent within the last 60 seconds, and their tokens. Tokens are an estimate until an answer ends. */
  readonly requests: number;
  readonly tokens: number;
  /** When the oldest of these requests stops counting, and its tokens. Undefined if there is none. */
  readonly frees?: { readonly inMs: number; readonly tokens: number };
  /** The longest wait since midnight in milliseconds, and how many requests were refused with 429 since then. */
  readonly longestWaitMs: number;
  readonly refused: number;
}
