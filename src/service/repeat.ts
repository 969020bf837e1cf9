/** Whether a failed request may be sent again. */
import type { ErrorKind } from '../formats/apiError.ts';

/**
 * `safe` when the service did not work on it, `unsure` when it may have
 * (the connection broke after the request was sent), `never` when it would fail again or be paid for twice.
 */
export type Repeat = 'safe' | 'unsure' | 'never';

/** Statuses with which the service, or a proxy in front of it, did no work. */
const SAFE_TO_REPEAT: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 529]);

/** `x-should-retry` is the service's own decision and takes precedence. Waiting does not restore credit. */
export function repeatOf(kind: ErrorKind, status: number, headers: Headers): Repeat {
  const word = headers.get('x-should-retry');
  if (word === 'true') return 'safe';
  if (word === 'false' || kind === 'credit') return 'never';
  return kind === 'overloaded' || kind === 'rateLimit' || SAFE_TO_REPEAT.has(status) ? 'safe' : 'never';
}
