import type { DatabaseConnection } from './connection.ts';

/**
 * Returns the cost of a session so far, for all replicas, in billionths of a US dollar.
 * @throws {DatabaseError}
 */
export async function readSessionSpend(connection: DatabaseConnection, sessionId: string): Promise<number> {
  const [row] = await connection.query(
    "SELECT coalesce(sum(cost), 0)::bigint AS spent FROM exchange WHERE details ->> 'session_id' = $1",
    [sessionId],
  );
  return Number(row?.spent ?? 0);
}
