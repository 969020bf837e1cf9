/**
 * Enters the exchanges of processes that have ended unexpectedly: their running rows, and those that they had not
 * written yet.
 */
import { accessSync, constants, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { hasCode } from '../display/errors.ts';
import { parseJson } from '../formats/json.ts';
import { COLUMN_NAMES } from './columns.ts';
import { PENDING_MARK } from './pendingRows.ts';
import type { RowValues } from './row.ts';
import { closeLost, deadWriters, isDead } from './runningRows.ts';
import { inTransaction, isRefusedValue } from './sqlite.ts';

/** The name of a damaged file has this in place of {@link PENDING_MARK}. */
const DAMAGED_MARK = '.damaged-';

/** Whether a process has left exchanges, or a file. */
export function hasLost(database: DatabaseSync, ledger: string, now: number): boolean {
  return deadWriters(database, now).length > 0 || leftFiles(ledger, now).some(isReadable);
}

/**
 * @param ledger the path of its file.
 * @param onProblem called with a sentence for the user about each file with rows that cannot be entered.
 */
export function enterLost(
  database: DatabaseSync,
  ledger: string,
  now: number,
  onProblem: (message: string) => void,
): void {
  const left = leftFiles(ledger, now);
  const files = left.filter(isReadable);
  for (const path of left)
    if (!files.includes(path)) onProblem(`${path} cannot be read. Its requests are not recorded.`);
  const damaged = inTransaction(database, () => {
    closeLost(database, now);
    return files.map((path) => enterPending(database, textOf(path)));
  });
  for (const [at, path] of files.entries()) {
    const count = damaged[at] ?? 0;
    if (count === 0) rmSync(path, { force: true });
    else keep(path, count, onProblem);
  }
}

/** A damaged file is kept under another name, because some of its rows are nowhere else. */
function keep(path: string, damaged: number, onProblem: (message: string) => void): void {
  const kept = join(dirname(path), basename(path).replace(PENDING_MARK, DAMAGED_MARK));
  try {
    renameSync(path, kept);
  } catch (error) {
    // Another process has entered the file meanwhile, and reports it.
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  onProblem(`Damaged lines in ${kept} that are not in the ledger: ${damaged}.`);
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

/** A file of another user cannot be entered, and must not keep all others out. */
function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    return hasCode(error, 'ENOENT');
  }
}

/**
 * Enters the rows that are not in the ledger. A running row that is left has been entered before.
 * @returns the number of damaged lines. They are skipped, because they would keep all others out: those that are cut,
 *   and those that the table does not accept.
 */
function enterPending(database: DatabaseSync, text: string): number {
  const lines = text.split('\n').filter((line) => line !== '');
  const [names, ...rows] = lines.map(valuesIn);
  if (!names?.includes('id') || !names.includes('at')) return lines.length;
  const known = COLUMN_NAMES.filter((name) => names.includes(name));
  const at = (name: string) => names.indexOf(name);
  const exists = database.prepare(
    'SELECT 1 FROM exchanges WHERE at = ? AND id = ? UNION ALL SELECT 1 FROM running WHERE id = ?',
  );
  const insert = database.prepare(
    `INSERT INTO exchanges (${known.join(', ')}) VALUES (${known.map(() => '?').join(', ')})`,
  );
  const complete = rows.filter((row) => row !== undefined && row.length <= names.length) as RowValues[];
  let damaged = rows.length - complete.length;
  // The last line of an exchange is its latest.
  for (const row of new Map(complete.map((values) => [values[at('id')], values])).values()) {
    const [time = null, id = null] = [row[at('at')], row[at('id')]];
    if (exists.get(time, id, id) !== undefined) continue;
    const values = known.map((name) => row[at(name)] ?? null);
    if (!isAccepted(insert, values)) damaged += 1;
  }
  return damaged;
}

function isAccepted(insert: StatementSync, values: RowValues): boolean {
  try {
    insert.run(...values);
    return true;
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    return false;
  }
}

/** Returns undefined for a line that is damaged, such as the last one if the disk was full. */
function valuesIn(line: string): readonly unknown[] | undefined {
  const parsed: unknown = parseJson(line);
  return Array.isArray(parsed) && parsed.every(isValue) ? parsed : undefined;
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
