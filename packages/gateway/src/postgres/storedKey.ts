import * as z from 'zod/mini';
import { defined } from '../../../../src/formats/json.ts';
import type { Budget, KeyTeam, KeyTerms } from '../../../../src/gateway/keys/issuedKey.ts';
import type { DigestedKey } from '../../../../src/gateway/keys/keyRing.ts';
import { budgetSchema, limitsSchema } from '../../../../src/gateway/keys/keyTerms.ts';
import { toBillionths, toDollars } from '../../../../src/ledger/cost.ts';
import { SECRET_POLICIES } from '../../../../src/rules/secretPolicy.ts';

/** The column `terms`, without budgets and expiry, which have their own table and column. */
const termsSchema = z.object({
  models: z.optional(z.array(z.string())),
  limits: z.optional(limitsSchema),
  lowersLimits: z.optional(z.boolean()),
  measuresContext: z.optional(z.boolean()),
  secrets: z.optional(z.enum([...SECRET_POLICIES])),
});

const storedBudgets = z.nullable(z.array(budgetSchema));

const storedKey = z.object({
  id: z.string(),
  name: z.string(),
  digest: z.string(),
  terms: termsSchema,
  created_at: z.number(),
  rotated_at: z.nullable(z.number()),
  expires_at: z.nullable(z.number()),
  budgets: storedBudgets,
  team: z.nullable(z.object({ id: z.string(), name: z.string(), budgets: storedBudgets })),
});

export const BUDGETS_OF = (scope: string) => `(
  SELECT jsonb_agg(jsonb_build_object('unit', b.unit, 'period', b.period, 'amount', b.amount) ORDER BY b.period)
  FROM budget b WHERE b.scope = ${scope})`;

const MS = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::bigint`;

/** Selects the keys that are not revoked. Includes expired keys. */
export const SELECT_KEYS = `
  SELECT k.id, k.name, encode(k.digest, 'base64') AS digest, k.terms, ${MS('k.created_at')} AS created_at,
    ${MS('k.rotated_at')} AS rotated_at, ${MS('k.expires_at')} AS expires_at, ${BUDGETS_OF('k.id')} AS budgets,
    CASE WHEN t.id IS NULL THEN NULL
      ELSE jsonb_build_object('id', t.id, 'name', t.name, 'budgets', ${BUDGETS_OF('t.id')}) END AS team
  FROM api_key k LEFT JOIN team t ON t.id = k.team
  WHERE k.revoked_at IS NULL AND t.revoked_at IS NULL`;

/**
 * Parses a row of {@link SELECT_KEYS}.
 * @throws if the row is invalid.
 */
export function readKey(row: unknown): DigestedKey {
  const { id, name, digest, terms, created_at, rotated_at, expires_at, budgets, team } = storedKey.parse(row);
  const { models, limits, lowersLimits, measuresContext, secrets } = terms;
  const details = defined({
    id,
    name,
    createdAt: created_at,
    rotatedAt: rotated_at ?? undefined,
    expiresAt: expires_at ?? undefined,
    budgets: readBudgets(budgets),
    limits: limits && defined(limits),
    models,
    lowersLimits,
    measuresContext,
    secrets,
    team: team === null ? undefined : readTeam(team),
  });
  return { details, digest };
}

function readTeam({
  id,
  name,
  budgets,
}: {
  id: string;
  name: string;
  budgets: z.infer<typeof storedBudgets>;
}): KeyTeam {
  return defined({ id, name, budgets: readBudgets(budgets) });
}

/** Returns `undefined` if there are none, as in {@link KeyTerms}. */
export function readBudgets(budgets: readonly Budget[] | null): readonly Budget[] | undefined {
  return budgets?.map((budget) => (budget.unit === 'usd' ? { ...budget, amount: toDollars(budget.amount) } : budget));
}

/** Returns the amount in the unit of the column: billionths of a US dollar, or tokens. */
export function storedAmount({ unit, amount }: Budget): number {
  return unit === 'usd' ? toBillionths(amount) : amount;
}

/** Returns the value of the column `terms`. */
export function storedTerms({ models, limits, lowersLimits, measuresContext, secrets }: KeyTerms): string {
  return JSON.stringify({ models, limits, lowersLimits, measuresContext, secrets });
}
