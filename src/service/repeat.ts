/** Whether a failed request may be sent again. */
import type { ErrorKind } from '../formats/apiError.ts';

/**
 * `safe`: the service did no work on it. `unsure`: it may have (the connection was lost after the request was sent).
 * `never`: it would fail again or be charged twice.
 */
export type Repeat = 'safe' | 'unsure' | 'never';

/** Statuses that mean that the service, or a proxy in front of it, did no work. */
const SAFE_TO_REPEAT: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 529]);

/**
 * Decides by the kind and the response. `x-should-retry` is the service's own decision and takes precedence. Waiting
 * does not restore credit.
 */
export function repeatOf(kind: ErrorKind, status: number, headers: Headers): Repeat {
  const word = headers.get('x-should-retry');
  if (word === 'true') return 'safe';
  if (word === 'false' || kind === 'credit') return 'never';
  return kind === 'overloaded' || kind === 'rateLimit' || SAFE_TO_REPEAT.has(status) ? 'safe' : 'never';
}
