import * as z from 'zod/mini';
import type { BudgetState } from '../../../../src/gateway/budgets/keyBalance.ts';
import { budgetSchema } from '../../../../src/gateway/keys/keyTerms.ts';
import { toDollars } from '../../../../src/ledger/cost.ts';
import type { DatabaseConnection } from './connection.ts';

const stored = z.object({
  scope: z.string(),
  ...budgetSchema.shape,
  spent: z.number(),
  reserved: z.number(),
  renews_at: z.nullable(z.date()),
});

export interface ScopedState {
  /** ID of the key or team. */
  readonly scope: string;
  readonly state: BudgetState;
}

/**
 * Returns the current state of the budgets of keys and teams.
 * @throws {DatabaseError}
 */
export async function readBudgetStates(
  connection: DatabaseConnection,
  scopes: readonly string[],
): Promise<ScopedState[]> {
  const rows = await connection.query('SELECT * FROM balances($1)', [scopes]);
  return rows.map((row) => {
    const { scope, unit, period, amount, spent, reserved, renews_at } = stored.parse(row);
    const budget = { unit, period, amount: unit === 'usd' ? toDollars(amount) : amount };
    return { scope, state: { budget, granted: amount, used: spent, reserved, renewsAt: renews_at?.getTime() } };
  });
}
