import type { Refusal } from '../core/refusal.ts';

/** Delay before a client should retry, in seconds. */
const RETRY_AFTER = '5';

/**
 * For keys with a budget and for unknown keys. The status is neither 401 nor 402, because clients treat those as final.
 */
export const DATABASE_AWAY: Refusal = {
  error: {
    kind: 'overloaded',
    status: 503,
    message:
      'The gateway cannot reach its database, so it cannot check this key or its budget. Nothing was sent or charged. Retry in a few seconds.',
  },
  headers: { 'retry-after': RETRY_AFTER },
  reason: 'the database is away',
};

export const SPOOL_FULL: Refusal = {
  error: {
    kind: 'overloaded',
    status: 503,
    message: 'The gateway cannot record requests at the moment: its database is unavailable and its spool is full.',
  },
  headers: { 'retry-after': RETRY_AFTER },
};
