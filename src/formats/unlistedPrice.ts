import type { Usage } from './conversation.ts';
import { isRecord, type JsonRecord } from './json.ts';

/** Tiers, speeds, and regions whose prices are not the catalog's. */
const UNLISTED: Readonly<Record<string, ReadonlySet<unknown>>> = {
  service_tier: new Set(['priority', 'flex', 'batch']),
  speed: new Set(['fast']),
  inference_geo: new Set(['us']),
};

/** Whether an answer names a tier, speed, or region whose prices are not the catalog's, beside its usage or in it. */
export function hasUnlistedPrice(value: JsonRecord, usage: JsonRecord): boolean {
  const places = [value, value.response, value.message, usage].filter(isRecord);
  return Object.entries(UNLISTED).some(([name, values]) => places.some((place) => values.has(place[name])));
}

/** Marks the decoded usage of an answer if the answer names such a tier, speed, or region. */
export function withUnlistedPrice(usage: Usage | undefined, answer: JsonRecord, wire: unknown): Usage | undefined {
  const isUnlisted = usage !== undefined && hasUnlistedPrice(answer, isRecord(wire) ? wire : {});
  return isUnlisted ? { ...usage, hasUnlistedPrice: true } : usage;
}
