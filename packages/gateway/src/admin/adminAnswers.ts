/** The answers of the administration's endpoints, for their OpenAPI description. */
import * as z from 'zod/mini';
import { budgetSchema, limitsSchema } from '../../../../src/gateway/keys/keyTerms.ts';
import { SECRET_POLICIES } from '../../../../src/rules/secretPolicy.ts';
import { MODEL_SUMS } from '../postgres/admin/modelReport.ts';
import { USAGE_DIMENSIONS, USAGE_SUMS } from '../postgres/admin/usageReport.ts';

const text = z.string();
const number = z.number();
/** ISO 8601. */
const time = z.iso.datetime();
const listOf = <Item extends z.ZodMiniType>(item: Item) => z.strictObject({ data: z.array(item) });
const numbers = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, number])) as Record<Name, typeof number>;

const budgets = z.array(
  z.strictObject({
    ...budgetSchema.shape,
    ...{ spent: number, reserved: number, remaining: number, renews_at: z.optional(time) },
  }),
);

const key = {
  ...{ id: text, name: text, team: z.optional(text), budgets, limits: z.optional(limitsSchema) },
  ...{
    models: z.optional(z.array(text)),
    lowers_limits: z.boolean(),
    measures_context: z.boolean(),
    secrets: z.optional(z.enum([...SECRET_POLICIES])),
    created_at: time,
    rotated_at: z.optional(time),
    expires_at: z.optional(time),
  },
};

export const KEY_ANSWER = z.strictObject(key);
export const KEYS_ANSWER = listOf(KEY_ANSWER);
export const NEW_KEY_ANSWER = z.strictObject({ ...key, key: text });

export const TEAM_ANSWER = z.strictObject({ id: text, name: text, keys: number, created_at: time, budgets });
export const TEAMS_ANSWER = listOf(TEAM_ANSWER);

/** Without changes, none has helped. */
export const REFUSALS_ANSWER = listOf(
  z.strictObject({ id: text, upstream: text, model: text, changes: z.array(text), until: time }),
);

/** Keys and teams are given by name; null means unknown. */
const dimensions = Object.fromEntries(USAGE_DIMENSIONS.map((name) => [name, z.optional(z.nullable(text))]));

export const USAGE_ANSWER = listOf(z.strictObject({ ...dimensions, ...numbers(USAGE_SUMS) }));

const modelSums = {
  ...numbers(MODEL_SUMS),
  first_byte_ms: z.optional(z.strictObject({ median: number, p95: number })),
};

export const MODELS_ANSWER = z.strictObject({
  data: z.array(z.strictObject({ model: z.nullable(text), ...modelSums })),
  total: z.strictObject(modelSums),
});

const nullableText = z.nullable(text);

export const CONTEXT_ANSWER = z.strictObject({
  ...{ session: nullableText, requests: number, input_tokens: number, input_cost: number },
  parts: z.array(
    z.strictObject({
      ...{ kind: text, name: nullableText, server: nullableText },
      ...{ tokens: number, requests: number, cost: number, calls: number },
    }),
  ),
  findings: z.array(z.strictObject({ kind: text, name: text, cost: number, requests: number })),
});

export const ERROR_ANSWER = z.strictObject({ error: z.strictObject({ message: text }) });
