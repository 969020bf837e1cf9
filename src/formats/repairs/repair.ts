import type { JsonRecord } from '../json.ts';
/**
 * Changes a request that the gateway or the extension has written so that a server accepts it. Requests that a caller
 * has written in the server's own format are never changed.
 */
import { OTHER_REASONING } from './messageForms.ts';
import type { Simplification } from './simplification.ts';
import { SIMPLIFICATIONS } from './simplifications.ts';

const BY_NAME: ReadonlyMap<string, readonly Simplification[]> = Map.groupBy(SIMPLIFICATIONS, ({ name }) => name);

interface Repaired {
  readonly body: JsonRecord;
  /** What the caller loses. */
  readonly lost?: string;
}

/**
 * Makes one change.
 * @param change the name of a simplification, or `name=argument`.
 * @returns undefined if the body has nothing to change.
 */
function repair(body: JsonRecord, change: string): Repaired | undefined {
  const [name = '', argument = ''] = change.split(/=(.*)/s);
  for (const { apply, lost } of BY_NAME.get(name) ?? []) {
    const changed = apply(body, argument);
    if (changed !== undefined) return { body: changed, ...(lost !== undefined && { lost }) };
  }
  return undefined;
}

/** Whether the change can concern what is long in a request. */
export function isDeep(change: string): boolean {
  const [name = ''] = change.split('=');
  return (BY_NAME.get(name) ?? []).some((each) => each.isDeep === true);
}

/** Returns whether the body has something that this would change. */
export function isRepairable(body: JsonRecord, change: string): boolean {
  return repair(body, change) !== undefined;
}

/**
 * Makes all of the changes that the body has something for.
 * @returns the body itself if it has nothing for any of them.
 */
export function repairAll(body: JsonRecord, changes: readonly string[]): { body: JsonRecord; lost: readonly string[] } {
  const lost: string[] = [];
  let current = body;
  // A member with another name is not one that was refused.
  const order = merged(changes).toSorted((a, b) => Number(b === OTHER_REASONING) - Number(a === OTHER_REASONING));
  for (const change of order) {
    const repaired = repair(current, isSwapRefused(change, changes) ? `${change}:none` : change);
    current = repaired?.body ?? current;
    if (repaired?.lost !== undefined) lost.push(repaired.lost);
  }
  return { body: current, lost: [...new Set(lost)] };
}

/** Makes one change of those that differ only in a limit. */
function merged(changes: readonly string[]): readonly string[] {
  const byName = Map.groupBy(changes, (change) => change.split('=')[0] ?? '');
  return [...byName].flatMap(([name, all]) => {
    const merge = BY_NAME.get(name)?.[0]?.merged;
    if (merge === undefined || all.length === 1) return all;
    return [`${name}=${merge(all.map((change) => change.slice(name.length + 1)))}`];
  });
}

const OUTPUT_LIMITS: readonly string[] = ['max_tokens', 'max_completion_tokens'];

/** Whether both names of the output limit are refused. */
function isSwapRefused(change: string, changes: readonly string[]): boolean {
  return OUTPUT_LIMITS.includes(change) && OUTPUT_LIMITS.every((each) => changes.includes(each));
}

/**
 * Returns the changes of those sets of which the body has something for each change. A set that was found by trying
 * says only that all of it together helps.
 */
export function applicable(body: JsonRecord, sets: readonly (readonly string[])[]): readonly string[] {
  const chosen = sets.filter((changes) => changes.length === 1 || areRepairable(body, changes));
  return [...new Set(chosen.flat())];
}

/** One change of a set can be possible only after another one. */
function areRepairable(body: JsonRecord, changes: readonly string[]): boolean {
  let current: JsonRecord | undefined = body;
  for (const change of changes) current = current && repair(current, change)?.body;
  return current !== undefined;
}
