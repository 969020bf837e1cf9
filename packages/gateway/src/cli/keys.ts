/** Local keys from the file of `--config`. Their secrets are in the environment or created at each start. */
import * as z from 'zod/mini';
import { defined } from '../../../../src/formats/json.ts';
import { createLocalKeySecret, type IssuedKey, type KeyTerms } from '../../../../src/gateway/keys/issuedKey.ts';
import {
  budgetSchema,
  checkedName,
  checkedTerms,
  LocalKeyError,
  limitsSchema,
} from '../../../../src/gateway/keys/keyTerms.ts';
import { SECRET_POLICIES } from '../../../../src/rules/secretPolicy.ts';
import { UsageError } from './arguments.ts';

const configuredBudget = z.strictObject({
  ...budgetSchema.shape,
  period: z._default(budgetSchema.shape.period, 'total'),
});

export const configuredKey = z.strictObject({
  name: z.string(),
  secretEnv: z.optional(z.string().check(z.minLength(1))),
  budget: z.optional(configuredBudget),
  /** Several budgets, or more in addition to `budget`. */
  budgets: z.optional(z.array(configuredBudget)),
  limits: z.optional(limitsSchema),
  expires: z.optional(
    z.string().check(z.refine(isDate, 'This must be a date such as 2027-01-31 or 2027-01-31T12:00:00Z.')),
  ),
  models: z.optional(z.array(z.string())),
  lowersLimits: z.optional(z.boolean()),
  measureContext: z.optional(z.boolean()),
  secrets: z.optional(z.enum([...SECRET_POLICIES])),
});

export type ConfiguredKey = z.infer<typeof configuredKey>;

/** The ID and name of the `--key` key in records. */
export const SERVE_KEY = 'serve';

export interface ServeKeys {
  /** The ID of a key is its name, so that its budget survives a restart. */
  readonly keys: readonly IssuedKey[];
  /** Keys whose secrets were created just now. */
  readonly made: readonly IssuedKey[];
  readonly warnings: readonly string[];
}

/**
 * @param known keys of the previous configuration. One without `secretEnv` keeps its secret.
 * @throws {UsageError} naming the key and the problem.
 */
export function readServeKeys(
  configured: readonly ConfiguredKey[],
  environment: NodeJS.ProcessEnv,
  known: readonly IssuedKey[] = [],
): ServeKeys {
  const now = Date.now();
  const names = [SERVE_KEY];
  const before = new Map(known.map((key) => [key.id, key]));
  const keys = configured.map((entry) => {
    const secret = secretOf(entry, environment) ?? before.get(entry.name.trim())?.secret ?? createLocalKeySecret();
    const key = issue(entry, secret, names, now);
    names.push(key.name);
    return key;
  });
  const twice = keys.find(({ secret }, place) => keys.findIndex((other) => other.secret === secret) !== place);
  if (twice !== undefined) throw new UsageError(`The key "${twice.name}" has the same secret as another key.`);
  const expired = keys.filter(({ expiresAt = Number.POSITIVE_INFINITY }) => expiresAt <= now);
  return {
    keys,
    made: keys.filter(({ id }, place) => configured[place]?.secretEnv === undefined && !before.has(id)),
    warnings: expired.map(({ name }) => `The key "${name}" has expired and grants no access.`),
  };
}

function secretOf({ name, secretEnv }: ConfiguredKey, environment: NodeJS.ProcessEnv): string | undefined {
  if (secretEnv === undefined) return undefined;
  const secret = environment[secretEnv];
  if (secret === undefined) {
    throw new UsageError(`The key "${name}" takes its secret from ${secretEnv}, which is not set.`);
  }
  if (!isLocalKey(secret)) throw new UsageError(`${secretEnv} is not a local key. ${LOCAL_KEY_RULE}`);
  return secret;
}

function issue(
  { name, budget, budgets = [], limits, expires, models, lowersLimits, measureContext, secrets }: ConfiguredKey,
  secret: string,
  names: readonly string[],
  now: number,
): IssuedKey {
  const terms: KeyTerms = {
    budgets: [...(budget === undefined ? [] : [budget]), ...budgets],
    ...(limits !== undefined && { limits: defined(limits) }),
    ...(expires !== undefined && { expiresAt: Date.parse(expires) }),
    ...(models !== undefined && { models }),
    lowersLimits: lowersLimits ?? true,
    ...defined({ measuresContext: measureContext, secrets }),
  };
  try {
    const id = checkedName(name, names);
    // An expired key may stay in the file, so that its clients get the error that it has expired.
    return { id, name: id, createdAt: now, ...checkedTerms(terms, Number.NEGATIVE_INFINITY), secret };
  } catch (error) {
    if (!(error instanceof LocalKeyError)) throw error;
    throw new UsageError(`The key "${name}": ${error.message}`);
  }
}

export const LOCAL_KEY_RULE = 'A local key starts with key_ and contains no spaces.';

export function isLocalKey(secret: string): boolean {
  return /^key_\S+$/.test(secret);
}

/** Any local process can try keys as fast as the gateway answers. */
const MIN_KEY_LENGTH = 20;

/** Returns warnings about keys that can be guessed. */
export function shortKeyWarnings(keys: readonly IssuedKey[]): readonly string[] {
  return keys
    .filter(({ secret }) => secret.length < MIN_KEY_LENGTH)
    .map(({ name }) => `The local key "${name}" is easy to guess. Use at least ${MIN_KEY_LENGTH} characters.`);
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}
