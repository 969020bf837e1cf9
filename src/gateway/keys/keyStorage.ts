/** Stores the local keys in SecretStorage as one string, so that a key cannot be stored without its terms. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { parseJson } from '../../formats/json.ts';
import type { IssuedKey } from './issuedKey.ts';
import { KeyList } from './keyList.ts';
import { budgetSchema, LocalKeyError, limitsSchema } from './keyTerms.ts';

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
});
/** In version 1, a key had at most one budget. */
const earlierKey = z.object({ ...common, budget: z.optional(budgetSchema) });

/** In version 2, a key had no limits. */
const stored = z.object({ version: z.literal([2, VERSION]), keys: z.array(storedKey) });
const earlier = z.object({ version: z.literal(1), keys: z.array(earlierKey) });

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
