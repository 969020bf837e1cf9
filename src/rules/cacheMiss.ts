/**
 * Why an upstream did not read from its cache what an earlier request of the session had sent. `cold`: there is no
 * earlier request. `lookback`: more blocks were added than the upstream searches before its last cache breakpoint.
 * `parallel_start`: the earlier request had not been answered yet. `server`: the requests show no reason.
 */
export const CACHE_MISS_REASONS = [
  'cold',
  'model_changed',
  'tools_changed',
  'tools_reordered',
  'system_changed',
  'system_volatile',
  'history_rewritten',
  'history_removed',
  'history_inserted',
  'compacted',
  'image_changed',
  'settings_changed',
  'expired',
  'lookback',
  'below_minimum',
  'unmarked',
  'parallel_start',
  'server',
] as const;

export type CacheMissReason = (typeof CACHE_MISS_REASONS)[number];

/** Reasons that are part of how a session works. All others can be avoided. */
const EXPECTED: ReadonlySet<CacheMissReason> = new Set(['cold', 'compacted', 'below_minimum', 'server']);

export const AVOIDABLE_REASONS = CACHE_MISS_REASONS.filter((reason) => !EXPECTED.has(reason));

export function isAvoidable(reason: CacheMissReason): boolean {
  return !EXPECTED.has(reason);
}
