import * as z from 'zod/mini';
import { LIMIT_NAMES } from '../../../../../src/gateway/core/keyLimits.ts';
import type { DatabaseConnection } from '../connection.ts';
import { LEASE } from '../lease.ts';

/** A request that asks for its turn. */
export interface AskedTurn {
  /** ID of the exchange. */
  readonly id: string;
  readonly key: string;
  /** An estimate of input and output tokens. */
  readonly tokens: number;
  /** Milliseconds that the request has waited. */
  readonly waited: number;
}

/** A request that no longer runs, or no longer waits. */
export interface EndedTurn {
  readonly id: string;
  readonly key: string;
  /** Tokens that the request used, if known. */
  readonly tokens?: number | undefined;
  /** Whether the request does not count for the limits per minute. */
  readonly is_gone: boolean;
}

const turnBlock = z.object({
  limit: z.enum(LIMIT_NAMES),
  /** Milliseconds until the request gets its turn, if only time has to pass. */
  ms: z.nullable(z.number()),
  /** Requests and tokens within the last minute. */
  requests: z.number(),
  tokens: z.number(),
  /** Milliseconds until none of these count. */
  resetMs: z.number(),
});

/** What a request waits for, and how far the limits of its key are used. */
export type TurnBlock = z.infer<typeof turnBlock>;

const answer = z.array(z.object({ id: z.string(), block: z.nullable(turnBlock) }));

/**
 * Ends turns and asks for others, in one statement.
 * @returns what each asking request waits for. Requests that may be sent have none.
 * @throws {DatabaseError}
 */
export async function takeTurns(
  connection: DatabaseConnection,
  replica: string,
  asked: readonly AskedTurn[],
  ended: readonly EndedTurn[],
): Promise<ReadonlyMap<string, TurnBlock | undefined>> {
  const values = [replica, JSON.stringify(asked), JSON.stringify(ended), LEASE];
  const rows = await connection.queryAgain('SELECT id, block FROM take_turns($1, $2, $3, $4::interval)', values);
  return new Map(answer.parse(rows).map(({ id, block }) => [id, block ?? undefined]));
}

/**
 * Returns turns of the replica that have been running for a minute, and deletes what counts for no limit.
 * @throws {DatabaseError}
 */
export async function readOldTurns(connection: DatabaseConnection, replica: string): Promise<readonly EndedTurn[]> {
  await connection.query('SELECT prune_turns()');
  const rows = await connection.query(
    "SELECT id, key FROM turn WHERE replica = $1 AND is_running AND at < clock_timestamp() - interval '1 minute'",
    [replica],
  );
  return rows.map(({ id, key }) => ({ id: String(id), key: String(key), is_gone: true }));
}
