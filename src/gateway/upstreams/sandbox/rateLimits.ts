/**
 * Rate-limit headers. The sandbox counts requests and tokens, but never refuses a request because of them; see
 * `faults.ts` for simulated refusals.
 */
import type { FormatName } from '../../../formats/conversation.ts';

const WINDOW_MS = 60_000;
const REQUESTS_PER_MINUTE = 10_000;
const TOKENS_PER_MINUTE = 20_000_000;

export type Headers = Record<string, string>;

/** A local key's usage of the current minute. */
interface Window {
  readonly endsAt: number;
  requests: number;
  tokens: number;
}

export class RateLimits {
  readonly #windows = new Map<string, Window>();
  readonly #now: () => number;

  /** @param now returns milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  countRequest(localKeyId: string): void {
    this.#windowOf(localKeyId).requests += 1;
  }

  countTokens(localKeyId: string, tokens: number): void {
    this.#windowOf(localKeyId).tokens += tokens;
  }

  /** The messages format has its own header names; the other two formats share theirs. */
  headers(localKeyId: string, format: FormatName): Headers {
    const { requests, tokens, endsAt } = this.#windowOf(localKeyId);
    const left = {
      requests: Math.max(0, REQUESTS_PER_MINUTE - requests),
      tokens: Math.max(0, TOKENS_PER_MINUTE - tokens),
    };
    return format === 'messages' ? messagesHeaders(left, endsAt) : commonHeaders(left, endsAt - this.#now());
  }

  #windowOf(localKeyId: string): Window {
    const now = this.#now();
    const current = this.#windows.get(localKeyId);
    if (current !== undefined && now < current.endsAt) return current;
    const next = { endsAt: now + WINDOW_MS, requests: 0, tokens: 0 };
    this.#windows.set(localKeyId, next);
    return next;
  }
}

interface Remaining {
  readonly requests: number;
  readonly tokens: number;
}

/** The reset is a duration. */
function commonHeaders(left: Remaining, msToReset: number): Headers {
  const reset = `${Math.ceil(msToReset / 1000)}s`;
  return {
    'x-ratelimit-limit-requests': String(REQUESTS_PER_MINUTE),
    'x-ratelimit-remaining-requests': String(left.requests),
    'x-ratelimit-reset-requests': reset,
    'x-ratelimit-limit-tokens': String(TOKENS_PER_MINUTE),
    'x-ratelimit-remaining-tokens': String(left.tokens),
    'x-ratelimit-reset-tokens': reset,
  };
}

/** The reset is a point in time. */
function messagesHeaders(left: Remaining, endsAt: number): Headers {
  const reset = `${new Date(endsAt).toISOString().slice(0, 19)}Z`;
  return {
    'anthropic-ratelimit-requests-limit': String(REQUESTS_PER_MINUTE),
    'anthropic-ratelimit-requests-remaining': String(left.requests),
    'anthropic-ratelimit-requests-reset': reset,
    'anthropic-ratelimit-tokens-limit': String(TOKENS_PER_MINUTE),
    'anthropic-ratelimit-tokens-remaining': String(left.tokens),
    'anthropic-ratelimit-tokens-reset': reset,
  };
}
