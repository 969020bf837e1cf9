/** The vendors' documented rules for prompt caches, as of November 2026. */

/** How long a cache keeps what a request has marked. */
export type CacheLifetime = 'minutes' | 'hour' | 'halfHour' | 'halfDay';

const MINUTE_MS = 60_000;

/** How long a cache entry lives after its last use, in milliseconds. */
export const LIFETIME_MS: Readonly<Record<CacheLifetime, number>> = {
  minutes: 5 * MINUTE_MS,
  halfHour: 30 * MINUTE_MS,
  hour: 60 * MINUTE_MS,
  halfDay: 12 * 60 * MINUTE_MS,
};

/** The lifetime at upstreams that cache without marks, in milliseconds. The vendors promise five to ten minutes. */
export const AUTOMATIC_LIFETIME_MS = 10 * MINUTE_MS;

/** How many blocks before a mark are searched for an earlier mark. A run of tool calls or results counts as one. */
export const LOOKBACK_BLOCKS = 20;

/**
 * The minimum number of tokens that a prompt needs to be cached. The first pattern that matches the model's name
 * applies.
 */
const MINIMUM_TOKENS: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/haiku-?3|haiku.*3[.-]5/, 2048],
  [/opus-?4[.-]?[56]|haiku-?4[.-]?5/, 4096],
];

/** For all other models. */
const DEFAULT_MIN_TOKENS = 1024;

export function minimumTokens(model: string): number {
  return MINIMUM_TOKENS.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1] ?? DEFAULT_MIN_TOKENS;
}
