import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { defined, parseJson } from '../../formats/json.ts';
import { SECRET_POLICIES } from '../../rules/secretPolicy.ts';
import { createLocalKeySecret, type IssuedKey, type KeyTerms, type RevokedKeys } from './issuedKey.ts';
import { mergeKey, withChange } from './keyParts.ts';
import { budgetSchema, checkedName, checkedTerms, LocalKeyError, limitsSchema } from './keyTerms.ts';

export interface KeyChange {
  readonly list: KeyList;
  readonly key: IssuedKey;
}

/** The ID of the key that exists from the start: windows that start at the same time create the same one. */
const FIRST_ID = 'first';

/**
 * The local keys of a user, as an immutable value: every change returns a new list. Lists that several windows have
 * changed are merged: nothing is lost, and no revoked key comes back. Times are milliseconds since the epoch.
 */
export class KeyList {
  readonly keys: readonly IssuedKey[];
  readonly revoked: RevokedKeys;

  constructor(keys: readonly IssuedKey[] = [], revoked: RevokedKeys = { ids: [] }) {
    this.keys = keys;
    this.revoked = revoked;
  }

  /** The list of a user who has none yet. */
  static first(name: string, now: number): KeyList {
    return new KeyList([{ id: FIRST_ID, name, createdAt: now, lowersLimits: true, secret: createLocalKeySecret() }]);
  }

  find(id: string): IssuedKey | undefined {
    return this.keys.find((key) => key.id === id);
  }

  /** The names of all keys by ID, as they are shown. Revoked ones are marked. */
  get names(): Readonly<Record<string, string>> {
    const revoked = Object.entries(this.revoked.names ?? {}).map(([id, name]) => [id, l10n.t('{0} (revoked)', name)]);
    return Object.fromEntries([...revoked, ...this.keys.map(({ id, name }) => [id, name])]);
  }

  equals(other: KeyList): boolean {
    return isDeepStrictEqual([this.keys, this.revoked], [other.keys, other.revoked]);
  }

  /** @throws {LocalKeyError} */
  create(name: string, terms: KeyTerms, now: number): KeyChange {
    const key: IssuedKey = {
      id: randomUUID(),
      name: checkedName(name, this.#names()),
      createdAt: Math.max(now, (this.keys.at(-1)?.createdAt ?? -1) + 1, this.revoked.before ?? 0),
      ...checkedTerms({ lowersLimits: true, ...terms }, now),
      secret: createLocalKeySecret(),
    };
    return { list: new KeyList([...this.keys, key], this.revoked), key };
  }

  /**
   * Changes the name and the terms of a key.
   * @param asked the key when the user was asked for them. What they leave as it was then stays as it is now.
   * @throws {LocalKeyError}
   */
  change(id: string, name: string, terms: KeyTerms, now: number, asked?: IssuedKey): KeyChange {
    const key = this.#get(id);
    const { secret, createdAt, rotatedAt, lowersLimits } = asked ?? key;
    const wanted = {
      id,
      name: checkedName(name, this.#names(id)),
      createdAt,
      ...(rotatedAt !== undefined && { rotatedAt }),
      ...checkedTerms({ ...(lowersLimits !== undefined && { lowersLimits }), ...terms }, now),
      secret,
    };
    return this.#replace(withChange(key, asked ?? key, wanted, now));
  }

  /**
   * Replaces the secret of a key. The earlier secret is no longer valid.
   * @throws {LocalKeyError}
   */
  rotate(id: string, now: number): KeyChange {
    const key = this.#get(id);
    return this.#replace(withChange(key, key, { ...key, rotatedAt: now, secret: createLocalKeySecret() }, now));
  }

  /** @throws {LocalKeyError} */
  revoke(id: string): KeyChange {
    const key = this.#get(id);
    const ids = [...this.revoked.ids, id].sort();
    const names = { ...this.revoked.names, [id]: key.name };
    return {
      list: new KeyList(
        this.keys.filter((each) => each !== key),
        { ...this.revoked, ids, names },
      ),
      key,
    };
  }

  /** Returns a list with the changes of both, the same in every window. */
  merge(other: KeyList): KeyList {
    if (this.equals(other)) return this;
    const before = Math.max(this.revoked.before ?? 0, other.revoked.before ?? 0);
    const ids = new Set([...this.revoked.ids, ...other.revoked.ids]);
    const all = new Map(this.keys.map((key) => [key.id, key]));
    for (const key of other.keys) {
      const known = all.get(key.id);
      all.set(key.id, known === undefined ? key : mergeKey(known, key));
    }
    const keys = [...all.values()]
      .filter(({ id, createdAt }) => !ids.has(id) && createdAt >= before)
      .sort((one, two) => one.createdAt - two.createdAt || (one.id < two.id ? -1 : 1));
    const names = mergeNames(this.revoked.names, other.revoked.names);
    return new KeyList(withDistinctNames(keys), { ids: [...ids].sort(), ...names, ...(before > 0 && { before }) });
  }

  #get(id: string): IssuedKey {
    const key = this.find(id);
    if (key === undefined) throw new LocalKeyError(l10n.t('This key no longer exists.'));
    return key;
  }

  #replace(key: IssuedKey): KeyChange {
    const keys = this.keys.map((each) => (each.id === key.id ? key : each));
    return { list: new KeyList(keys, this.revoked), key };
  }

  #names(exceptId?: string): string[] {
    return this.keys.filter(({ id }) => id !== exceptId).map(({ name }) => name);
  }
}

/** Numbers keys to which several windows have given the same name. */
function withDistinctNames(keys: readonly IssuedKey[]): IssuedKey[] {
  const taken = new Set<string>();
  return keys.map((key) => {
    let { name } = key;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${key.name} ${number}`;
    taken.add(name.toLowerCase());
    return name === key.name ? key : { ...key, name };
  });
}

/** A key that was renamed in one window and revoked in another may have two names, of which each window chooses the same. */
function mergeNames(
  one: RevokedKeys['names'],
  other: RevokedKeys['names'],
): { readonly names?: NonNullable<RevokedKeys['names']> } {
  if (one === undefined || other === undefined) return defined({ names: one ?? other });
  const both = Object.keys(one).filter((id) => other[id] !== undefined);
  const chosen = both.map((id) => [id, [one[id], other[id]].sort()[1]]);
  return { names: { ...one, ...other, ...Object.fromEntries(chosen) } };
}

const VERSION = 4;

const storedKey = z.object({
  id: z.string().check(z.minLength(1)),
  name: z.string(),
  secret: z.string().check(z.startsWith('key_')),
  createdAt: z.number(),
  rotatedAt: z.optional(z.number()),
  expiresAt: z.optional(z.number()),
  models: z.optional(z.array(z.string())),
  budgets: z.optional(z.array(budgetSchema)),
  limits: z.optional(limitsSchema),
  lowersLimits: z.optional(z.boolean()),
  measuresContext: z.optional(z.boolean()),
  secrets: z.optional(z.enum([...SECRET_POLICIES])),
  changedAt: z.optional(z.record(z.string(), z.number())),
});

const revokedKeys = z.object({
  ids: z.array(z.string()),
  names: z.optional(z.record(z.string(), z.string())),
  before: z.optional(z.number()),
});
const stored = z.object({
  version: z.literal(VERSION),
  keys: z.array(storedKey),
  revoked: z.optional(revokedKeys),
});

/** Returns the local keys as one string for SecretStorage, so that a key cannot be stored without its terms. */
export function serializeKeys(list: KeyList): string {
  return JSON.stringify({ version: VERSION, keys: list.keys, revoked: list.revoked });
}

/**
 * Parses the output of {@link serializeKeys}. One invalid entry makes the whole string invalid: a key without its budget
 * or its expiry date would allow more than its owner intended.
 * @throws {LocalKeyError} whose message contains nothing of the text.
 */
export function parseKeys(text: string): KeyList {
  const value = parseJson(text);
  const result = stored.safeParse(value);
  if (result.success) {
    const { keys, revoked } = result.data;
    return new KeyList(
      keys.map((key) => withoutUndefined(key)),
      revoked && withoutUndefined(revoked),
    );
  }
  const version = z.object({ version: z.number() }).safeParse(value).data?.version;
  throw new LocalKeyError(
    version !== undefined && version > VERSION
      ? l10n.t('The local keys were stored by a newer version of Model Access. Update Model Access.')
      : l10n.t('Could not read the stored local keys. Remove them and create new ones.'),
  );
}

/** Zod omits absent members, although its types allow undefined. */
function withoutUndefined<Value extends object>(value: object): Value {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;
}
