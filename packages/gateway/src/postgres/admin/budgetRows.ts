import type { Budget } from '../../../../../src/gateway/keys/issuedKey.ts';
import { toDollars } from '../../../../../src/ledger/cost.ts';
import { readBudgetStates } from '../budgetStates.ts';
import type { DatabaseConnection } from '../connection.ts';
import { storedAmount } from '../storedKey.ts';

/** A budget and its current state, in US dollars or tokens. */
export interface BudgetReport extends Budget {
  readonly spent: number;
  readonly reserved: number;
  readonly remaining: number;
  /** ISO 8601. Undefined for a total budget, which never resets. */
  readonly renews_at?: string;
}

/** Returns rows for `jsonb_to_recordset`, with the amounts in the units of their columns. */
export function budgetRows(budgets: readonly Budget[] = []): string {
  return JSON.stringify(budgets.map((budget) => ({ ...budget, amount: storedAmount(budget) })));
}

/** Returns the parts of a statement that replace the budgets of `changed.id` with those in the parameter. */
export function replaceBudgets(parameter: string): string {
  return `
    given AS (SELECT * FROM jsonb_to_recordset(${parameter}::jsonb) b(unit text, period text, amount bigint)),
    removed AS (
      DELETE FROM budget b USING changed
      WHERE b.scope = changed.id
        AND NOT EXISTS (SELECT FROM given g WHERE g.unit = b.unit AND g.period = b.period)
    ),
    placed AS (
      INSERT INTO budget (scope, unit, period, amount)
      SELECT changed.id, g.unit, g.period, g.amount FROM changed, given g
      ON CONFLICT (scope, unit, period) DO UPDATE SET amount = excluded.amount
    )`;
}

export async function reportBudgets(
  connection: DatabaseConnection,
  scopes: readonly string[],
): Promise<ReadonlyMap<string, readonly BudgetReport[]>> {
  const states = await readBudgetStates(connection, scopes);
  const reports = states.map(({ scope, state }) => {
    const shown = state.budget.unit === 'usd' ? toDollars : (tokens: number) => tokens;
    const report: BudgetReport = {
      ...state.budget,
      spent: shown(state.used),
      reserved: shown(state.reserved),
      remaining: shown(Math.max(0, state.granted - state.used)),
      ...(state.renewsAt !== undefined && { renews_at: new Date(state.renewsAt).toISOString() }),
    };
    return { scope, report };
  });
  const byScope = Map.groupBy(reports, ({ scope }) => scope);
  return new Map([...byScope].map(([scope, each]) => [scope, each.map(({ report }) => report)]));
}
