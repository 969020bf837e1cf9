import { createHash } from 'node:crypto';
import { isRecord } from '../../formats/json.ts';

export interface KnownRefusal {
  readonly upstream: string;
  /** A digest of the upstream's settings. With other settings, the refusal is forgotten. */
  readonly settings: string;
  readonly model: string;
  /** The changes with which the upstream accepts requests; see `Simplification`. Empty if none helped. */
  readonly changes: readonly string[];
  /** A digest of the requests for which no change helped. */
  readonly shape?: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Where replicas share what they learn. */
export interface SharedRefusals {
  /** Called after something was learned. Must not throw. */
  readonly add: (learned: readonly KnownRefusal[]) => void;
  /** Called after something was removed. Must not throw. */
  readonly remove: (ids: readonly string[]) => void;
}

/** What one gateway knows, as far as others take part in it. */
export interface RefusalList {
  /** Reports to others what is learned and removed from now on. */
  shareWith(shared: SharedRefusals): void;
  replace(known: readonly KnownRefusal[]): void;
}

/** Limits the memory and the files, because callers choose the names of models. In characters. */
export const MAX_NAME_LENGTH = 200;
const MAX_CHANGES = 100;

export function isKnownRefusal(value: unknown): value is KnownRefusal {
  if (!isRecord(value) || typeof value.until !== 'number' || !Array.isArray(value.changes)) return false;
  const { changes, shape = '' } = value;
  const texts: readonly unknown[] = [value.upstream, value.settings, value.model, shape, ...(changes as unknown[])];
  return (
    changes.length <= MAX_CHANGES && texts.every((text) => typeof text === 'string' && text.length <= MAX_NAME_LENGTH)
  );
}

/** Identifies what was learned. It is the same each time that it is learned. */
export function idOf({ upstream, settings, model, changes, shape = '' }: KnownRefusal): string {
  return digest([upstream, settings, model, changes, shape]);
}

export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
}

/** Later refusals replace earlier ones that say the same. */
export function merged(earlier: readonly KnownRefusal[], later: readonly KnownRefusal[]): readonly KnownRefusal[] {
  const replaced = new Set(later.map(idOf));
  return [...earlier.filter((each) => !replaced.has(idOf(each))), ...later];
}
