/**
 * Endpoints for administrators and key holders, beside the models' API. The OpenAPI document is generated from this
 * table.
 */
import * as z from 'zod/mini';
import { check } from '../../../../src/formats/check.ts';
import { defined } from '../../../../src/formats/json.ts';
import { budgetSchema, limitsSchema } from '../../../../src/gateway/keys/keyTerms.ts';
import type { ContextReport } from '../../../../src/ledger/contextReport.ts';
import { SECRET_POLICIES } from '../../../../src/rules/secretPolicy.ts';
import { AdminError } from '../postgres/admin/adminError.ts';
import type { ContextReportQuestion } from '../postgres/admin/contextReport.ts';
import type { KeyAdmin, KeyChanges } from '../postgres/admin/keyAdmin.ts';
import type { ModelReport, ModelReportQuestion } from '../postgres/admin/modelReport.ts';
import type { TeamAdmin } from '../postgres/admin/teamAdmin.ts';
import {
  type TeamUsageLine,
  type TeamUsageQuestion,
  USAGE_DIMENSIONS,
  type UsageDimension,
} from '../postgres/admin/usageReport.ts';
import type { TeamRefusals } from '../postgres/teamRefusals.ts';
import {
  CONTEXT_ANSWER,
  KEY_ANSWER,
  KEYS_ANSWER,
  MODELS_ANSWER,
  NEW_KEY_ANSWER,
  REFUSALS_ANSWER,
  TEAM_ANSWER,
  TEAMS_ANSWER,
  USAGE_ANSWER,
} from './adminAnswers.ts';

export interface AdminParts {
  readonly keys: KeyAdmin;
  readonly teams: TeamAdmin;
  readonly refusals: Pick<TeamRefusals, 'list' | 'remove'>;
  readonly reportUsage: (question: TeamUsageQuestion) => Promise<readonly TeamUsageLine[]>;
  readonly reportContext: (question: ContextReportQuestion) => Promise<ContextReport>;
  readonly reportModels: (question: ModelReportQuestion) => Promise<ModelReport>;
}

export interface AdminRequest {
  /** The ID or name in the path. */
  readonly target: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Contains `{name}` in place of the ID or name of a key or team. */
  readonly path: string;
  readonly summary: string;
  /** Default: 200. */
  readonly status?: 200 | 201 | 204;
  readonly body?: z.ZodMiniType;
  /** What a successful answer contains. Undefined for an empty one. */
  readonly result?: z.ZodMiniType;
  readonly query?: Readonly<Record<string, string>>;
  readonly answer: (parts: AdminParts, request: AdminRequest) => Promise<unknown>;
}

const FORMATS = ['json', 'csv'] as const;

/** Later times have another form in ISO 8601. */
const YEAR_10000 = Date.UTC(10_000, 0);

const text = z.string();
const budgets = z.nullable(z.array(budgetSchema));
const expiry = z.nullable(
  z.string().check(z.refine((value) => Date.parse(value) < YEAR_10000, 'This must be a date before the year 10000.')),
);

const terms = {
  team: z.optional(z.nullable(text)),
  budgets: z.optional(budgets),
  limits: z.optional(z.nullable(limitsSchema)),
  models: z.optional(z.nullable(z.array(text))),
  expires_at: z.optional(expiry),
  lowers_limits: z.optional(z.boolean()),
  measures_context: z.optional(z.boolean()),
  secrets: z.optional(z.nullable(z.enum([...SECRET_POLICIES]))),
};
const newKey = z.strictObject({ name: text, ...terms });
const changedKey = z.strictObject({ name: z.optional(text), ...terms });
const newTeam = z.strictObject({ name: text, budgets: z.optional(budgets) });
const changedTeam = z.strictObject({ name: z.optional(text), budgets: z.optional(budgets) });

/** Query parameters of the reports, with their descriptions. */
const USAGE_QUERY = {
  from: 'First day, such as 2026-11-01, in the time zone of the database.',
  to: 'Last day.',
  by: `Dimensions, separated by commas: ${USAGE_DIMENSIONS.join(', ')}. Default: day.`,
  format: 'json (default) or csv.',
};

const CONTEXT_QUERY = {
  from: USAGE_QUERY.from,
  to: USAGE_QUERY.to,
  key: 'Name or id of a key. Default: all keys.',
  session: 'Id of a session. Default: all sessions.',
};

export const ADMIN_ROUTES: readonly AdminRoute[] = [
  route('GET', '/admin/keys', 'List all keys with their budgets.', {
    result: KEYS_ANSWER,
    answer: async ({ keys }) => ({ data: await keys.list() }),
  }),
  route('POST', '/admin/keys', 'Create a key. The answer is the only one that has it.', {
    status: 201,
    body: newKey,
    result: NEW_KEY_ANSWER,
    answer: ({ keys }, { body }) => {
      const { name = '', ...given } = readKey(check(newKey, body));
      return keys.create(name, given);
    },
  }),
  route('GET', '/admin/keys/{name}', 'Show a key and its spending.', {
    result: KEY_ANSWER,
    answer: ({ keys }, { target }) => keys.show(target),
  }),
  route('PATCH', '/admin/keys/{name}', 'Change a key. A value of null removes a limit.', {
    body: changedKey,
    result: KEY_ANSWER,
    answer: ({ keys }, { target, body }) => keys.change(target, readKey(check(changedKey, body))),
  }),
  route('POST', '/admin/keys/{name}/rotate', 'Replace the secret of a key.', {
    result: NEW_KEY_ANSWER,
    answer: ({ keys }, { target }) => keys.rotate(target),
  }),
  route('DELETE', '/admin/keys/{name}', 'Revoke a key. Its running requests end.', {
    status: 204,
    answer: ({ keys }, { target }) => keys.revoke(target),
  }),
  route('GET', '/admin/teams', 'List all teams with their budgets.', {
    result: TEAMS_ANSWER,
    answer: async ({ teams }) => ({ data: await teams.list() }),
  }),
  route('POST', '/admin/teams', 'Create a team.', {
    status: 201,
    body: newTeam,
    result: TEAM_ANSWER,
    answer: ({ teams }, { body }) => {
      const { name, budgets: given } = check(newTeam, body);
      return teams.create(name, given ?? undefined);
    },
  }),
  route('GET', '/admin/teams/{name}', 'Show a team and its spending.', {
    result: TEAM_ANSWER,
    answer: ({ teams }, { target }) => teams.show(target),
  }),
  route('PATCH', '/admin/teams/{name}', 'Change a team. A value of null removes its budgets.', {
    body: changedTeam,
    result: TEAM_ANSWER,
    answer: ({ teams }, { target, body }) => {
      const { name, budgets: given } = check(changedTeam, body);
      return teams.change(target, {
        ...defined({ name, budgets: given }),
      });
    },
  }),
  route('DELETE', '/admin/teams/{name}', 'Revoke a team with all its keys.', {
    status: 204,
    answer: ({ teams }, { target }) => teams.revoke(target),
  }),
  route('GET', '/admin/refusals', 'List what the upstreams refuse, and what is sent instead.', {
    result: REFUSALS_ANSWER,
    answer: async ({ refusals }) => ({ data: await refusals.list() }),
  }),
  route('DELETE', '/admin/refusals/{name}', 'Forget a refusal, so that it is tried again.', {
    status: 204,
    answer: async ({ refusals }, { target }) => {
      if ((await refusals.remove([target])) === 0)
        throw new AdminError('unknown', `No refusal has the id "${target}". GET /admin/refusals lists them.`);
    },
  }),
  route('GET', '/admin/usage', 'Requests, tokens, and cost of all keys, from daily sums.', {
    query: USAGE_QUERY,
    result: USAGE_ANSWER,
    answer: async ({ reportUsage }, { query }) => ({ data: await reportUsage(readQuestion(query)) }),
  }),
  route('GET', '/admin/context', 'What fills the context of sessions, and what it has cost.', {
    query: CONTEXT_QUERY,
    result: CONTEXT_ANSWER,
    answer: ({ reportContext }, { query }) => {
      const { from, to } = readQuestion(query, CONTEXT_QUERY);
      const [key, session] = [query.get('key'), query.get('session')];
      return reportContext({
        ...(from && { from }),
        ...(to && { to }),
        ...(key && { key }),
        ...(session && { session }),
      });
    },
  }),
];

function route(
  method: AdminRoute['method'],
  path: string,
  summary: string,
  details: Omit<AdminRoute, 'method' | 'path' | 'summary'>,
): AdminRoute {
  return { method, path, summary, ...details };
}

/** For every key: its own usage. */
export const USAGE_OF_KEY = {
  path: '/usage',
  summary: 'Requests, tokens, and cost of the calling key, from daily sums.',
  query: USAGE_QUERY,
  result: USAGE_ANSWER,
} as const;

/** For every key: its own usage by model, with cached tokens and times. */
export const MODELS_OF_KEY = {
  path: '/usage/models',
  summary: 'Usage of the calling key by model, with cached and reasoning tokens and times to the first byte.',
  query: { from: USAGE_QUERY.from, to: USAGE_QUERY.to },
  result: MODELS_ANSWER,
} as const;

const day = z.optional(z.iso.date('This must be a day such as 2026-11-22.'));
const question = z.object({
  ...{ from: day, to: day },
  by: z.array(z.enum(USAGE_DIMENSIONS)),
  format: z.optional(z.enum(FORMATS)),
});

/**
 * @throws {FormatError} for an invalid value.
 * @throws {AdminError} for a parameter that does not exist or is repeated, which would otherwise report something else
 *   than the caller has asked for.
 */
export function readQuestion(query: URLSearchParams, parameters: object = USAGE_QUERY): TeamUsageQuestion {
  const names = Object.keys(parameters);
  for (const name of query.keys()) {
    if (!names.includes(name))
      throw new AdminError('invalid', `"${name}" is not a parameter of this path. It has: ${names.join(', ')}.`);
    if (query.getAll(name).length > 1) throw new AdminError('invalid', `Send "${name}" only once.`);
  }
  const by = (query.get('by') ?? 'day').split(',').filter((name) => name !== '');
  const given = Object.fromEntries(['from', 'to', 'format'].map((name) => [name, query.get(name) ?? undefined]));
  const read = check(question, { ...given, by });
  return {
    by: [...new Set(read.by as readonly UsageDimension[])],
    ...(read.from && { from: read.from }),
    ...(read.to && { to: read.to }),
  };
}

function readKey({
  expires_at,
  lowers_limits: lowersLimits,
  measures_context: measuresContext,
  ...given
}: z.infer<typeof changedKey>): KeyChanges {
  const expiresAt = typeof expires_at === 'string' ? Date.parse(expires_at) : expires_at;
  return {
    ...given,
    ...defined({ expiresAt, lowersLimits, measuresContext }),
  } as KeyChanges;
}
