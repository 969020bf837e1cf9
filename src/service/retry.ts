/**
 * Retries a failed request: only before the first byte of an answer, and only if {@link Repeat} allows it.
 *
 * A connection that was lost after the request was sent and before headers arrived (`unsure`) is retried as often as
 * others if the request only reads. A request that generates is retried once: the usual cause is an idle
 * connection that the service closed at that moment, while a second failure means that the service fails on the
 * request itself and may charge for each attempt.
 */
import type { Clock } from './clock.ts';
import { ServiceError } from './serviceError.ts';

type RetryReason = 'rateLimit' | 'overloaded' | 'network' | 'timeout' | 'server';

export interface RetryNotice {
  /** The number of this retry, starting at 1, and the maximum number of retries. */
  readonly attempt: number;
  readonly attempts: number;
  readonly waitMs: number;
  readonly reason: RetryReason;
  /** Ends the delay immediately. */
  skip(): void;
}

export interface RetryPolicy {
  /** Maximum attempts after the first. */
  readonly retries: number;
  /** The delay before retry n is random between 0 and `firstWaitMs` doubled n - 1 times, at most `longestWaitMs`. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** If the service asks for a longer delay, the user decides whether to retry. */
  readonly longestRetryAfterMs: number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  retries: 2,
  firstWaitMs: 500,
  longestWaitMs: 8000,
  longestRetryAfterMs: 60_000,
  random: Math.random,
};

export interface RetryOptions {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  /** Whether the request only reads, so that sending it twice costs nothing. */
  readonly readsOnly: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
}

/** @throws the error of the last attempt, or the signal's reason if it was aborted. */
export async function withRetries<T>(send: () => Promise<T>, options: RetryOptions): Promise<T> {
  let unsureRepeats = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof ServiceError) || attempt > options.policy.retries) throw error;
      if (error.repeat === 'unsure') unsureRepeats += 1;
      const mayRepeat =
        error.repeat === 'safe' || (error.repeat === 'unsure' && (options.readsOnly || unsureRepeats <= 1));
      const waitMs = waitBefore(attempt, error, options.policy);
      if (!mayRepeat || waitMs === undefined) throw error;
      await pause(waitMs, attempt, error, options);
    }
  }
}

/** @returns milliseconds, or undefined if the service asks for a longer delay than the policy allows. */
function waitBefore(attempt: number, { retryAfterMs }: ServiceError, policy: RetryPolicy): number | undefined {
  if (retryAfterMs !== undefined) return retryAfterMs <= policy.longestRetryAfterMs ? retryAfterMs : undefined;
  const longest = Math.min(policy.longestWaitMs, policy.firstWaitMs * 2 ** (attempt - 1));
  return Math.round(policy.random() * longest);
}

function pause(waitMs: number, attempt: number, error: ServiceError, options: RetryOptions): Promise<void> {
  const { clock, policy, signal, onRetry } = options;
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => () => {
      cancelTimer();
      signal?.removeEventListener('abort', abort);
      done();
    };
    const skip = settle(resolve);
    const abort = settle(() => reject(signal?.reason));
    const cancelTimer = clock.after(waitMs, skip);
    signal?.addEventListener('abort', abort);
    onRetry?.({ attempt, attempts: policy.retries, waitMs, reason: reasonOf(error), skip });
  });
}

function reasonOf({ kind }: ServiceError): RetryReason {
  return kind === 'rateLimit' || kind === 'overloaded' || kind === 'network' || kind === 'timeout' ? kind : 'server';
}
