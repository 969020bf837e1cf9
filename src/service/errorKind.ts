/** Determines the kind of an error from the service's own words and its HTTP status. */
import { type ErrorKind, KIND_OF_STATUS } from '../formats/apiError.ts';

/** Errors that the service returns before it does any work. */
export const NEVER_BILLED: ReadonlySet<ErrorKind> = new Set([
  'authentication',
  'credit',
  'permission',
  'notFound',
  'rateLimit',
  'overloaded',
  'invalidRequest',
  'tooLarge',
]);

/**
 * Types and codes of both vendors and of similar services. They are more specific than the status, so they take
 * precedence.
 */
const BY_WORD: Readonly<Record<ErrorKind, readonly string[]>> = {
  authentication: ['authentication_error', 'invalid_api_key', 'invalid_key', 'unauthorized', 'unauthenticated'],
  credit: [
    'billing_error',
    'insufficient_quota',
    'insufficient_credit',
    'insufficient_credits',
    'insufficient_balance',
    'insufficient_funds',
    'payment_required',
    'billing_hard_limit_reached',
    'billing_not_active',
    'credit_exhausted',
    'no_credit',
  ],
  permission: ['permission_error', 'permission_denied', 'forbidden', 'unsupported_country_region_territory'],
  notFound: ['not_found_error', 'not_found', 'model_not_found'],
  rateLimit: ['rate_limit_error', 'rate_limit_exceeded', 'too_many_requests', 'requests', 'tokens'],
  overloaded: ['overloaded_error', 'overloaded', 'service_unavailable', 'provider_overloaded'],
  invalidRequest: ['context_length_exceeded', 'invalid_prompt'],
  tooLarge: ['request_too_large', 'payload_too_large'],
  timeout: ['timeout_error', 'timeout', 'gateway_timeout'],
  network: [],
  malformed: [],
  server: [],
};

/** Words with several meanings. They are used only if the status has none. */
const BY_VAGUE_WORD: Readonly<Record<string, ErrorKind>> = {
  invalid_request_error: 'invalidRequest',
  api_error: 'server',
  server_error: 'server',
  internal_error: 'server',
};

const KIND_OF_WORD: ReadonlyMap<string, ErrorKind> = new Map(
  Object.entries(BY_WORD).flatMap(([kind, words]) => words.map((word) => [word, kind as ErrorKind] as const)),
);

/** @param words the body's code and type, the more specific one first. */
export function errorKindOf(status: number, words: readonly (string | undefined)[]): ErrorKind {
  const known = words.map((word) => KIND_OF_WORD.get(word ?? '')).find((kind) => kind !== undefined);
  return known ?? kindOfStatus(status) ?? kindOfVagueWords(words) ?? 'server';
}

function kindOfStatus(status: number): ErrorKind | undefined {
  // A proxy in front of the service returns 502. The network between the proxy and the client works.
  if (status === 502) return 'server';
  const kind = KIND_OF_STATUS[status];
  if (kind !== undefined) return kind;
  if (status >= 500) return 'server';
  return status >= 400 ? 'invalidRequest' : undefined;
}

function kindOfVagueWords(words: readonly (string | undefined)[]): ErrorKind | undefined {
  const word = words.find((each) => each !== undefined && Object.hasOwn(BY_VAGUE_WORD, each));
  return word === undefined ? undefined : BY_VAGUE_WORD[word];
}
