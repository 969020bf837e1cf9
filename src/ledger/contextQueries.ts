import type { DatabaseSync } from 'node:sqlite';
import type { BilledContext } from '../rules/contextPart.ts';
import { readContext } from './contextCost.ts';
import { CONTEXT_COLUMNS, type ContextRow, contextRow } from './contextRow.ts';
import { type ContextLine, ContextLines } from './contextSums.ts';
import { inScope } from './requestSums.ts';
import { contextOf, type SessionContext } from './sessionContext.ts';
import type { UsageScope } from './usage.ts';

/** Asks for what the context of sessions consisted of. */
export interface ContextQuestion {
  /** Path of the ledger's file. */
  readonly ledger: string;
  readonly sessionId: string;
}

/** Asks for what one request consists of. */
export interface RequestContextQuestion {
  /** Path of the ledger's file. */
  readonly ledger: string;
  readonly id: string;
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
}

const COLUMNS = CONTEXT_COLUMNS.join(', ');

/** Returns the measured requests of one session, or of all, in order. */
export function contextRows(database: DatabaseSync, sessionId: string | undefined): readonly ContextRow[] {
  const condition = sessionId === undefined ? 'session_id IS NOT NULL' : 'session_id = ?';
  const rows = database
    .prepare(
      `SELECT ${COLUMNS} FROM exchanges WHERE context IS NOT NULL AND ${condition} ORDER BY session_id, at, number`,
    )
    .all(...(sessionId === undefined ? [] : [sessionId]));
  return rows.flatMap((row) => contextRow(row) ?? []);
}

export function sessionContext(database: DatabaseSync, { sessionId }: Omit<ContextQuestion, 'ledger'>): SessionContext {
  return contextOf(contextRows(database, sessionId));
}

/** Returns what one request consists of. Undefined if it was not measured. */
export function requestContext(
  database: DatabaseSync,
  { id, at }: Omit<RequestContextQuestion, 'ledger'>,
): BilledContext | undefined {
  const row = database.prepare('SELECT context FROM exchanges WHERE at = ? AND id = ?').get(at, id);
  return readContext(row?.context);
}

/** Returns what the parts of contexts have cost in a period, by client, server, and tool. */
export function usageContext(database: DatabaseSync, scope: UsageScope): readonly ContextLine[] {
  const { condition, range } = inScope(scope);
  const lines = new ContextLines();
  const rows = database.prepare(`SELECT ${COLUMNS} FROM exchanges WHERE context IS NOT NULL AND ${condition}`);
  for (const row of rows.iterate(...range)) {
    const read = contextRow(row);
    if (read !== undefined) lines.add(read);
  }
  return lines.lines;
}
