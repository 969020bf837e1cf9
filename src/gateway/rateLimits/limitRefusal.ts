import type { OutgoingHttpHeaders } from 'node:http';
import { formatTokensExact } from '../../display/tokens.ts';
import type { FormatName } from '../../formats/conversation.ts';
import { MAX_WAIT_MS } from '../core/keyLimits.ts';
import type { Refusal } from '../core/refusal.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import type { Left, LimitsLeft, LimitWait } from './keyQueue.ts';

const MAX_RETRY_S = 60;
/** It is unknown when running requests will end, so the client is asked to retry soon. */
const RETRY_PARALLEL_S = 5;

/** Status 429, after the longest wait in the queue. */
export function waitedTooLong(
  key: KeyDetails,
  { limit, ms }: LimitWait,
  left: LimitsLeft,
  format: FormatName,
  now: number,
): Refusal {
  const seconds = ms === undefined ? RETRY_PARALLEL_S : Math.min(MAX_RETRY_S, Math.max(1, Math.ceil(ms / 1000)));
  const message =
    `The local key "${key.name}" allows ${LIMIT_WORDS[limit](key.limits?.[limit] ?? 0)}. ` +
    `The request waited ${MAX_WAIT_MS / 1000} seconds for its turn. Retry in ${seconds} seconds.`;
  return refusal(message, seconds, rateLimitHeaders(left, format, now));
}

/** Status 429 without a wait, because the request alone exceeds the limit. */
export function neverFits(
  key: KeyDetails,
  inputTokens: number,
  left: LimitsLeft,
  format: FormatName,
  now: number,
): Refusal {
  const message =
    `The local key "${key.name}" allows ${LIMIT_WORDS.tokensPerMinute(key.limits?.tokensPerMinute ?? 0)}, ` +
    `and the input of this request alone has about ${formatTokensExact(inputTokens)}. Send a shorter request.`;
  return refusal(message, MAX_RETRY_S, rateLimitHeaders(left, format, now));
}

const LIMIT_WORDS = {
  parallel: (limit: number) => (limit === 1 ? 'one request at a time' : `${limit} requests in parallel`),
  requestsPerMinute: (limit: number) => `${limit} ${limit === 1 ? 'request' : 'requests'} per minute`,
  tokensPerMinute: (limit: number) => `${formatTokensExact(limit)} tokens per minute`,
};

function refusal(message: string, seconds: number, headers: OutgoingHttpHeaders): Refusal {
  return {
    error: { kind: 'rateLimit', status: 429, message },
    headers: { ...headers, 'retry-after': String(seconds) },
  };
}

/**
 * The headers have the names of the caller's format. The messages format uses points in time, the other two use
 * durations.
 */
function rateLimitHeaders(left: LimitsLeft, format: FormatName, now: number): OutgoingHttpHeaders {
  const limits = Object.entries(left) as readonly [string, Left][];
  const headers = limits.flatMap(([name, { limit, remaining, resetMs }]): [string, string][] =>
    format === 'messages'
      ? [
          [`anthropic-ratelimit-${name}-limit`, String(limit)],
          [`anthropic-ratelimit-${name}-remaining`, String(remaining)],
          [`anthropic-ratelimit-${name}-reset`, `${new Date(now + resetMs).toISOString().slice(0, 19)}Z`],
        ]
      : [
          [`x-ratelimit-limit-${name}`, String(limit)],
          [`x-ratelimit-remaining-${name}`, String(remaining)],
          [`x-ratelimit-reset-${name}`, `${Math.ceil(resetMs / 1000)}s`],
        ],
  );
  return Object.fromEntries(headers);
}
