import { isDeepStrictEqual } from 'node:util';
import { BUDGET_PERIODS } from '../../rules/period.ts';
import { ALL_LIMIT_NAMES } from '../core/keyLimits.ts';
import type { Budget, IssuedKey } from './issuedKey.ts';

const TERMS = ['expiresAt', 'models', 'lowersLimits', 'measuresContext', 'secrets'] as const;

/** The parts of a key that change independently of each other. A part that the key does not have is undefined. */
type KeyParts = Readonly<Record<string, unknown>>;

/** Changes the parts of a key in which two other versions of it differ. */
export function withChange(key: IssuedKey, from: IssuedKey, to: IssuedKey, now: number): IssuedKey {
  const [parts, before, after] = [partsOf(key), partsOf(from), partsOf(to)];
  const changed = Object.keys(parts).filter((part) => !isDeepStrictEqual(before[part], after[part]));
  if (changed.length === 0) return key;
  const times = changed.map((part) => [part, Math.max(now, (key.changedAt?.[part] ?? 0) + 1)]);
  const changes = Object.fromEntries(changed.map((part) => [part, after[part]]));
  return keyOf({ ...parts, ...changes }, key, { ...key.changedAt, ...Object.fromEntries(times) });
}

/** Returns the key with the last change of each part, in whichever version it was made. */
export function mergeKey(one: IssuedKey, other: IssuedKey): IssuedKey {
  const [first, second] = one.createdAt <= other.createdAt ? [one, other] : [other, one];
  const [parts, others] = [partsOf(first), partsOf(second)];
  const later = Object.keys(parts).filter((part) => {
    const times = [first, second].map(({ changedAt }) => changedAt?.[part] ?? 0) as [number, number];
    if (times[0] !== times[1]) return times[0] < times[1];
    return first.createdAt === second.createdAt && orderOf(parts[part]) < orderOf(others[part]);
  });
  const changes = Object.fromEntries(later.map((part) => [part, others[part]]));
  const times = Object.entries({ ...first.changedAt, ...second.changedAt }).map(([part, time]) => [
    part,
    Math.max(first.changedAt?.[part] ?? 0, time),
  ]);
  return keyOf({ ...parts, ...changes }, first, Object.fromEntries(times));
}

/** Decides between values of the same time, in every window alike. */
function orderOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function partsOf(key: IssuedKey): KeyParts {
  const { name, secret, rotatedAt, budgets, limits } = key;
  return {
    name,
    secret: rotatedAt === undefined ? { secret } : { secret, rotatedAt },
    ...Object.fromEntries(TERMS.map((term) => [term, key[term]])),
    ...Object.fromEntries(BUDGET_PERIODS.map((period) => [period, budgets?.find((each) => each.period === period)])),
    ...Object.fromEntries(ALL_LIMIT_NAMES.map((limit) => [limit, limits?.[limit]])),
  };
}

function keyOf(parts: KeyParts, { id, createdAt }: IssuedKey, changedAt: Readonly<Record<string, number>>): IssuedKey {
  const budgets = BUDGET_PERIODS.flatMap((period) => parts[period] ?? []);
  const limits = given(parts, ALL_LIMIT_NAMES);
  return {
    id,
    name: parts.name as string,
    createdAt,
    ...(parts.secret as Pick<IssuedKey, 'secret' | 'rotatedAt'>),
    ...(budgets.length > 0 && { budgets: budgets as Budget[] }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...given(parts, TERMS),
    ...(Object.keys(changedAt).length > 0 && { changedAt }),
  };
}

function given(parts: KeyParts, names: readonly string[]): object {
  return Object.fromEntries(names.flatMap((name) => (parts[name] === undefined ? [] : [[name, parts[name]]])));
}
