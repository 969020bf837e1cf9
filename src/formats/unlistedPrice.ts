import type { Usage } from './conversation.ts';
import { isRecord, type JsonRecord } from './json.ts';

/** Tiers whose prices are not the catalog's. */
const TIERS: ReadonlySet<unknown> = new Set(['priority', 'flex', 'batch']);

/** Whether an answer names a tier, speed, or region whose prices are not the catalog's, beside its usage or in it. */
export function hasUnlistedPrice(value: JsonRecord, usage: JsonRecord): boolean {
  const { response, message } = value;
  if (isUnlisted(value) || isUnlisted(usage)) return true;
  const inner = response ?? message;
  return inner !== undefined && isRecord(inner) && isUnlisted(inner);
}

function isUnlisted({ service_tier: tier, speed, inference_geo: region }: JsonRecord): boolean {
  return TIERS.has(tier) || speed === 'fast' || region === 'us';
}

/** Marks the decoded usage of an answer if the answer names such a tier, speed, or region. */
export function withUnlistedPrice(usage: Usage | undefined, answer: JsonRecord, wire: unknown): Usage | undefined {
  const isUnlisted = usage !== undefined && hasUnlistedPrice(answer, isRecord(wire) ? wire : {});
  return isUnlisted ? { ...usage, hasUnlistedPrice: true } : usage;
}
