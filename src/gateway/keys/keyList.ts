import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { parseJson } from '../../formats/json.ts';
import { SECRET_POLICIES } from '../../rules/secretPolicy.ts';
import { createLocalKeySecret, detailsOf, type IssuedKey, type KeyDetails, type KeyTerms } from './issuedKey.ts';
import { budgetSchema, checkedName, checkedTerms, LocalKeyError, limitsSchema } from './keyTerms.ts';

/** The list after a change, and the key that was changed. */
export interface KeyChange {
  readonly list: KeyList;
  readonly key: IssuedKey;
}

/**
 * The local keys of a user, as an immutable value: every change returns a new list. Times are milliseconds since the
 * epoch.
 */
export class KeyList {
  readonly keys: readonly IssuedKey[];

  constructor(keys: readonly IssuedKey[] = []) {
    this.keys = keys;
  }

  /** The keys without their secrets, in order of creation. */
  get details(): readonly KeyDetails[] {
    return this.keys.map(detailsOf);
  }

  find(id: string): IssuedKey | undefined {
    return this.keys.find((key) => key.id === id);
  }

  /** @throws {LocalKeyError} */
  create(name: string, terms: KeyTerms, now: number): KeyChange {
    const key: IssuedKey = {
      id: randomUUID(),
      name: checkedName(name, this.#names()),
      createdAt: now,
      ...checkedTerms({ lowersLimits: true, ...terms }, now),
      secret: createLocalKeySecret(),
    };
    return { list: new KeyList([...this.keys, key]), key };
  }

  /**
   * Replaces the name and all terms of a key.
   * @throws {LocalKeyError}
   */
  change(id: string, name: string, terms: KeyTerms, now: number): KeyChange {
    const { secret, createdAt, rotatedAt, lowersLimits } = this.#get(id);
    return this.#replace({
      id,
      name: checkedName(name, this.#names(id)),
      createdAt,
      ...(rotatedAt !== undefined && { rotatedAt }),
      ...checkedTerms({ ...(lowersLimits !== undefined && { lowersLimits }), ...terms }, now),
      secret,
    });
  }

  /**
   * Replaces the secret of a key. The earlier secret is no longer valid.
   * @throws {LocalKeyError}
   */
  rotate(id: string, now: number): KeyChange {
    return this.#replace({ ...this.#get(id), rotatedAt: now, secret: createLocalKeySecret() });
  }

  /** @throws {LocalKeyError} */
  revoke(id: string): KeyChange {
    const key = this.#get(id);
    return { list: new KeyList(this.keys.filter((each) => each !== key)), key };
  }

  #get(id: string): IssuedKey {
    const key = this.find(id);
    if (key === undefined) throw new LocalKeyError(l10n.t('This key no longer exists.'));
    return key;
  }

  #replace(key: IssuedKey): KeyChange {
    return { list: new KeyList(this.keys.map((each) => (each.id === key.id ? key : each))), key };
  }

  #names(exceptId?: string): string[] {
    return this.keys.filter(({ id }) => id !== exceptId).map(({ name }) => name);
  }
}

const VERSION = 3;

const common = {
  id: z.string().check(z.minLength(1)),
  name: z.string(),
  secret: z.string().check(z.startsWith('key_')),
  createdAt: z.number(),
  rotatedAt: z.optional(z.number()),
  expiresAt: z.optional(z.number()),
  models: z.optional(z.array(z.string())),
};
const storedKey = z.object({
  ...common,
  budgets: z.optional(z.array(budgetSchema)),
  limits: z.optional(limitsSchema),
  lowersLimits: z.optional(z.boolean()),
  measuresContext: z.optional(z.boolean()),
  secrets: z.optional(z.enum([...SECRET_POLICIES])),
});
/** In version 1, a key had at most one budget. */
const earlierKey = z.object({ ...common, budget: z.optional(budgetSchema) });

/** In version 2, a key had no limits. */
const stored = z.object({ version: z.literal([2, VERSION]), keys: z.array(storedKey) });
const earlier = z.object({ version: z.literal(1), keys: z.array(earlierKey) });

/** Returns the local keys as one string for SecretStorage, so that a key cannot be stored without its terms. */
export function serializeKeys(list: KeyList): string {
  return JSON.stringify({ version: VERSION, keys: list.keys });
}

/**
 * Parses the output of {@link serializeKeys}, of this version or an earlier one. One invalid entry makes the whole
 * string invalid: a key without its budget or its expiry date would allow more than its owner intended.
 * @throws {LocalKeyError} whose message contains nothing of the text.
 */
export function parseKeys(text: string): KeyList {
  const value = parseJson(text);
  const result = stored.safeParse(value);
  if (result.success) return new KeyList(result.data.keys.map((key) => withoutUndefined(key)));
  const ofFirstVersion = earlier.safeParse(value);
  if (ofFirstVersion.success) return new KeyList(ofFirstVersion.data.keys.map((key) => migrated(key)));
  const version = z.object({ version: z.number() }).safeParse(value).data?.version;
  throw new LocalKeyError(
    version !== undefined && version > VERSION
      ? l10n.t('The local keys were stored by a newer version of Model Access. Update Model Access.')
      : l10n.t('Could not read the stored local keys. Remove them and create new ones.'),
  );
}

type StoredKey = z.infer<typeof storedKey>;

function migrated({ budget, ...key }: z.infer<typeof earlierKey>): IssuedKey {
  return withoutUndefined({ ...key, ...(budget !== undefined && { budgets: [budget] }) });
}

function withoutUndefined(key: StoredKey): IssuedKey {
  return Object.fromEntries(Object.entries(key).filter(([, value]) => value !== undefined)) as unknown as IssuedKey;
}
