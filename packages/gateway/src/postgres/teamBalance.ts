/** The balance of a key of the database: its own budgets, and those of its team. */
import * as z from 'zod/mini';
import {
  type BudgetFigures,
  budgetFigures,
  type KeyBalance,
  keyBalance,
  type PackageState,
} from '../../../../src/gateway/budgets/keyBalance.ts';
import type { Budget, KeyDetails } from '../../../../src/gateway/keys/issuedKey.ts';
import { toDollars } from '../../../../src/ledger/cost.ts';
import { readBudgetStates, type ScopedState } from './budgetStates.ts';
import type { DatabaseConnection } from './connection.ts';

/** Days over which a team's average spending is computed. */
const PACE_DAYS = 7;

/** A budget of the key (`of: "key"`) or of its team. */
type ReportedBudget = BudgetFigures & {
  readonly of: 'key' | 'team';
  /** For a team's budget: what this key has used of it, in US dollars or tokens. */
  readonly used_by_key?: number;
};

/**
 * The body of `GET /balance` for a key of the database. The figures beside `budgets` are those of the budget with the
 * lowest remaining amount; without a budget, they are missing. Amounts are in US dollars, except budgets in tokens.
 */
export type TeamBalance = (
  | Omit<KeyBalance, 'budgets'>
  | { readonly object: 'balance'; readonly package: { readonly name: string; readonly state: PackageState } }
) & {
  readonly key: { readonly id: string; readonly name: string };
  readonly team?: {
    readonly name: string;
    /** The number of keys that are not revoked. */
    readonly keys: number;
    /** What the team spends per day, as an average of the last seven days. */
    readonly daily_average: number;
  };
  /** What the key has spent today. */
  readonly used_today: number;
  readonly budgets: readonly ReportedBudget[];
};

/** @throws {DatabaseError} */
export async function readTeamBalance(connection: DatabaseConnection, key: KeyDetails): Promise<TeamBalance> {
  const scopes = [key.id, ...(key.team ? [key.team.id] : [])];
  const [states, spending] = await Promise.all([
    readBudgetStates(connection, scopes),
    readSpending(connection, key.id, key.team?.id),
  ]);
  const { used, keys, perDay } = spending;
  const { budgets: _, ...main } = keyBalance(
    key,
    states.map(({ state }) => state),
  ) ?? {
    object: 'balance' as const,
    package: { name: key.name, state: 'active' as const },
  };
  return {
    ...main,
    key: { id: key.id, name: key.name },
    ...(key.team && { team: { name: key.team.name, keys, daily_average: toDollars(perDay) } }),
    used_today: toDollars(used.daily.cost),
    budgets: ownFirst(states, key.id).map((state) => shown(state, key.id, used)),
  };
}

type UsedAmounts = Readonly<Record<Budget['period'], { readonly cost: number; readonly tokens: number }>>;

function ownFirst(states: readonly ScopedState[], keyId: string): readonly ScopedState[] {
  return states.toSorted((a, b) => Number(b.scope === keyId) - Number(a.scope === keyId));
}

function shown({ scope, state }: ScopedState, keyId: string, used: UsedAmounts): ReportedBudget {
  const figures = budgetFigures(state);
  if (scope === keyId) return { of: 'key', ...figures };
  const { cost, tokens } = used[state.budget.period];
  return { of: 'team', ...figures, used_by_key: state.budget.unit === 'usd' ? toDollars(cost) : tokens };
}

/** The key's usage in its team since the beginning of each period, and the team's average. */
const SPENDING = `
  SELECT p.period, coalesce(sum(u.cost), 0)::bigint AS cost,
    coalesce(sum(u.input_tokens + u.output_tokens), 0)::bigint AS tokens,
    (SELECT count(*) FROM api_key k WHERE k.team = $2 AND k.revoked_at IS NULL) AS keys,
    (SELECT coalesce(sum(t.cost), 0)::bigint / $3::bigint FROM usage_day t
      WHERE t.team = $2 AND t.day > day_of(clock_timestamp()) - $3::int) AS per_day
  FROM unnest(ARRAY['total', 'monthly', 'daily']) AS p (period)
    LEFT JOIN usage_day u ON u.key = $1 AND u.team = coalesce($2, '')
      AND u.day >= period_start(p.period, day_of(clock_timestamp()))
  GROUP BY 1`;

const spendingRow = z.object({
  period: z.enum(['total', 'monthly', 'daily']),
  cost: z.number(),
  tokens: z.number(),
  keys: z.number(),
  per_day: z.number(),
});

async function readSpending(connection: DatabaseConnection, keyId: string, teamId: string | undefined) {
  const rows = (await connection.query(SPENDING, [keyId, teamId ?? null, PACE_DAYS])).map((row) =>
    spendingRow.parse(row),
  );
  const used = Object.fromEntries(rows.map(({ period, cost, tokens }) => [period, { cost, tokens }])) as UsedAmounts;
  const [first] = rows;
  return { used, keys: first?.keys ?? 0, perDay: first?.per_day ?? 0 };
}
