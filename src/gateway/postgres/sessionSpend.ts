import type { Connection } from './connection.ts';

/** Exchanges that name a session, by it. */
export const SESSION_INDEX = `
  CREATE INDEX exchange_by_session ON exchange ((details ->> 'session_id')) WHERE details ->> 'session_id' IS NOT NULL;
`;

/** What a session has cost so far, over all replicas, in billionths of a US dollar. @throws {DatabaseError} */
export async function readSessionSpend(connection: Connection, sessionId: string): Promise<number> {
  const [row] = await connection.query(
    "SELECT coalesce(sum(cost), 0)::bigint AS spent FROM exchange WHERE details ->> 'session_id' = $1",
    [sessionId],
  );
  return Number(row?.spent ?? 0);
}
