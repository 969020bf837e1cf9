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
