/**
 * The upstreams that the service key pays for. The sandbox simulates the service. Their bill follows from their list of
 * prices.
 */
export const PAID_UPSTREAMS: ReadonlySet<string> = new Set(['hosted', 'sandbox']);
