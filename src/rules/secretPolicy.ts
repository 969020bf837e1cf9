/** What happens to secrets in requests. */

/** From the most permissive to the strictest. */
export const SECRET_POLICIES = ['off', 'report', 'seal', 'refuse'] as const;

/**
 * - `off`: requests are not searched.
 * - `report`: requests are searched after they were sent, and their records have the kinds of secrets.
 * - `seal`: secrets are replaced with stand-ins before a request is sent, and restored in its answer.
 * - `refuse`: requests with secrets are not sent.
 */
export type SecretPolicy = (typeof SECRET_POLICIES)[number];

/** Returns the stricter of two policies. */
export function stricter(a: SecretPolicy, b: SecretPolicy): SecretPolicy {
  return SECRET_POLICIES.indexOf(a) >= SECRET_POLICIES.indexOf(b) ? a : b;
}

/** Returns the policy of a setting, which may be anything. */
export function readSecretPolicy(value: unknown): SecretPolicy | undefined {
  return SECRET_POLICIES.find((policy) => policy === value);
}
