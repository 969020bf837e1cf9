import * as z from 'zod/mini';
import type { BudgetState } from '../budgets/keyBalance.ts';
import { toDollars } from '../core/cost.ts';
import { budgetSchema } from '../keys/keyTerms.ts';
import type { Connection } from './connection.ts';

const stored = z.object({
  scope: z.string(),
  ...budgetSchema.shape,
  spent: z.number(),
  reserved: z.number(),
  renews_at: z.nullable(z.date()),
});

/** How a budget stands, and whose it is. */
export interface ScopedState {
  /** The id of the key or the team. */
  readonly scope: string;
  readonly state: BudgetState;
}

/** How the budgets of keys and teams stand. @throws {DatabaseError} */
export async function readBudgetStates(connection: Connection, scopes: readonly string[]): Promise<ScopedState[]> {
  const rows = await connection.query('SELECT * FROM balances_1($1)', [scopes]);
  return rows.map((row) => {
    const { scope, unit, period, amount, spent, reserved, renews_at } = stored.parse(row);
    const budget = { unit, period, amount: unit === 'usd' ? toDollars(amount) : amount };
    return { scope, state: { budget, granted: amount, used: spent, reserved, renewsAt: renews_at?.getTime() } };
  });
}
