import type { Refusal } from '../core/refusal.ts';

/** Sending the same request again does not help. */
const FINAL = { 'x-should-retry': 'false' };

/** @param kinds of the secrets that were found. */
export function hasSecrets(kinds: readonly string[]): Refusal {
  const message = `The request contains secrets (${kinds.join(', ')}), and requests with secrets are refused. Nothing was sent. Remove them, or have them replaced with the policy "seal".`;
  return { error: { kind: 'invalidRequest', status: 400, code: 'secrets_found', message }, headers: FINAL };
}

export const CANNOT_READ: Refusal = {
  error: {
    kind: 'invalidRequest',
    status: 400,
    code: 'secrets_unreadable',
    message:
      'The body cannot be searched for secrets, so it was not sent. Send it as JSON in UTF-8, uncompressed or with gzip, deflate, br, or zstd.',
  },
  headers: FINAL,
};

export const CANNOT_SEARCH: Refusal = {
  error: {
    kind: 'server',
    status: 500,
    message: 'The search for secrets failed, so the request was not sent. See the log of the gateway for details.',
  },
};
