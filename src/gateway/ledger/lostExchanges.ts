/**
 * Enters the exchanges of processes that have ended unexpectedly: their running rows, and those that they had not
 * written yet.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { hasCode } from '../../display/errorCode.ts';
import { parseJson } from '../../service/json.ts';
import { PENDING_MARK } from './pendingRows.ts';
import { COLUMN_NAMES } from './row.ts';
import { closeLost, deadWriters, isDead } from './runningRows.ts';
import { isRefusedValue } from './sqlite.ts';
import { inTransaction } from './transaction.ts';

/** Whether a process has left exchanges, or a file. */
export function hasLost(database: DatabaseSync, ledger: string, now: number): boolean {
  return deadWriters(database, now).length > 0 || leftFiles(ledger, now).length > 0;
}

/** @param ledger the path of its file. */
export function enterLost(database: DatabaseSync, ledger: string, now: number): void {
  const files = leftFiles(ledger, now);
  inTransaction(database, () => {
    closeLost(database, now);
    for (const path of files) enterPending(database, linesOf(path));
  });
  for (const path of files) rmSync(path, { force: true });
}

/** Returns the paths of the files with pending rows that dead processes have left. */
function leftFiles(ledger: string, now: number): string[] {
  const prefix = `${basename(ledger)}${PENDING_MARK}`;
  return readdirSync(dirname(ledger))
    .filter((name) => name.startsWith(prefix))
    .filter((name) => isLeft(join(dirname(ledger), name), Number.parseInt(name.slice(prefix.length), 10), now))
    .map((name) => join(dirname(ledger), name));
}

/** Whether no process writes to the file. A writer without pending rows may have written nothing for long. */
function isLeft(path: string, pid: number, now: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && isDead(pid, stats.size === 0 ? now : stats.mtimeMs, now);
}

/**
 * Enters the rows that are not in the ledger. A running row that is left has been entered before. Rows of a damaged file
 * that the table does not accept are skipped, because they would keep all others out.
 */
function enterPending(database: DatabaseSync, [names = [], ...rows]: readonly (readonly unknown[])[]): void {
  if (!names.includes('id') || !names.includes('at')) return;
  const known = COLUMN_NAMES.filter((name) => names.includes(name));
  const at = (name: string) => names.indexOf(name);
  const exists = database.prepare(
    'SELECT 1 FROM exchanges WHERE at = ? AND id = ? UNION ALL SELECT 1 FROM running WHERE id = ?',
  );
  const insert = database.prepare(
    `INSERT INTO exchanges (${known.join(', ')}) VALUES (${known.map(() => '?').join(', ')})`,
  );
  // The last line of an exchange is its latest.
  const complete = rows.filter(({ length }) => length === names.length);
  for (const row of new Map(complete.map((values) => [values[at('id')], values])).values()) {
    const values = known.map((name) => row[at(name)] as SQLInputValue);
    const [time = null, id = null] = [row[at('at')], row[at('id')]] as SQLInputValue[];
    if (exists.get(time, id, id) === undefined) runUnlessRefused(insert, values);
  }
}

function runUnlessRefused(insert: StatementSync, values: readonly SQLInputValue[]): void {
  try {
    insert.run(...values);
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
  }
}

/** Returns the complete lines. The last one may be cut if the process was killed while it wrote. */
function linesOf(path: string): readonly (readonly unknown[])[] {
  const parsed = textOf(path)
    .split('\n')
    .map((line): unknown => parseJson(line));
  return parsed.filter((line): line is readonly unknown[] => Array.isArray(line) && line.every(isValue));
}

/** Another process may have entered and removed the file meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  }
}

function isValue(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'number';
}
