import type { DatabaseSync } from 'node:sqlite';
import type { CacheMissReason } from '../rules/cacheMiss.ts';
import { type BilledContext, CONTEXT_KINDS } from '../rules/contextPart.ts';
import { readContext } from './contextCost.ts';
import { type ContextFinding, contextFindings, isCompacted } from './contextFindings.ts';
import { CONTEXT_COLUMNS, type ContextRow, contextRow } from './contextRow.ts';
import { ContextAdder, type ContextLine, ContextLines, type ContextSums } from './contextSums.ts';
import { toDollars } from './cost.ts';
import { inScope } from './requestSums.ts';
import type { UsageScope } from './usage.ts';

/** One measured request of a session. */
export interface ContextStep {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Undefined for the main agent. */
  readonly agentId?: string;
  /** Tokens of each of `CONTEXT_KINDS`, in their order. */
  readonly tokens: readonly number[];
  /** Cost of the input in US dollars. */
  readonly cost: number;
  /** The billed tokens for each estimated token. */
  readonly scale: number;
  readonly miss?: CacheMissReason;
  /** Whether a summary has replaced earlier messages. */
  readonly isCompacted?: true;
}

/** What the context of a session consisted of. */
export interface SessionContext extends ContextSums {
  readonly steps: readonly ContextStep[];
  readonly findings: readonly ContextFinding[];
}

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

/** @param rows the requests of one session, the oldest first. */
export function contextOf(rows: readonly ContextRow[]): SessionContext {
  const adder = new ContextAdder(true);
  const before = new Map<string | undefined, ContextRow>();
  const steps = rows.map((row) => {
    adder.add(row);
    const earlier = before.get(row.agentId);
    before.set(row.agentId, row);
    return stepOf(row, earlier);
  });
  return { ...adder.sums, steps, findings: contextFindings(rows) };
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

function stepOf(row: ContextRow, before: ContextRow | undefined): ContextStep {
  const { id, at, agentId, scale, parts, miss } = row;
  const tokens = CONTEXT_KINDS.map((kind) =>
    parts.reduce((sum, part) => (part.kind === kind ? sum + part.tokens : sum), 0),
  );
  return {
    ...{ id, at, scale, tokens },
    ...(agentId !== undefined && { agentId }),
    cost: toDollars(parts.reduce((sum, { cost = 0 }) => sum + cost, 0)),
    ...(miss !== undefined && { miss: miss.reason }),
    ...(before !== undefined && isCompacted(before, row) && { isCompacted: true }),
  };
}
