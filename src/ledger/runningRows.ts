/**
 * Running exchanges with their estimated usage, in case their process ends unexpectedly. A writer updates its rows
 * while it lives. The rows of a dead writer become exchanges with the end `lost`.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { LedgerEntry } from './ledgerEntry.ts';
import { allValues, COLUMN_NAMES, valuesOf } from './row.ts';

/**
 * A writer that has not updated its rows for this long is dead, even if another process now has its process ID. In
 * milliseconds.
 */
const SILENCE_MS = 10 * 60 * 1000;

const NAMES = COLUMN_NAMES.join(', ');
const RENEW = `
  UPDATE running SET (${NAMES}, seen_at) = (${COLUMN_NAMES.map(() => '?').join(', ')}, ?) WHERE id = ? AND writer = ?`;
const UPSERT = `
  INSERT OR REPLACE INTO running (${NAMES}, writer, process, seen_at)
  VALUES (${COLUMN_NAMES.map(() => '?').join(', ')}, ?, ?, ?)`;

export class RunningRows {
  readonly #upsert: StatementSync;
  readonly #renew: StatementSync;
  readonly #delete: StatementSync;
  readonly #deleteLost: StatementSync;
  readonly #writer = randomUUID();
  readonly #written = new Set<string>();

  constructor(database: DatabaseSync) {
    this.#upsert = database.prepare(UPSERT);
    this.#renew = database.prepare(RENEW);
    this.#delete = database.prepare('DELETE FROM running WHERE id = ?');
    this.#deleteLost = database.prepare(
      `DELETE FROM exchanges WHERE number > (SELECT up_to FROM summarised) AND id = ? AND ended = 'lost'`,
    );
  }

  /**
   * Inserts or updates the row of a running exchange. If another process has taken the exchange for lost, it gets no
   * new row before it ends.
   */
  write(entry: LedgerEntry, now: number): void {
    const values = allValues(valuesOf(entry, 'lost'));
    if (this.#written.has(entry.id)) this.#renew.run(...values, now, entry.id, this.#writer);
    else this.#upsert.run(...values, this.#writer, process.pid, now);
  }

  /** Called when the row has been committed. */
  confirm(id: string): void {
    this.#written.add(id);
  }

  /** Called when the exchange has ended, in the transaction that writes its entry. */
  remove(id: string): void {
    this.#written.delete(id);
    const { changes } = this.#delete.run(id);
    // The row is gone: another process has taken this one for dead and entered the exchange as lost.
    if (Number(changes) === 0) this.#deleteLost.run(id);
  }
}

/** Enters the exchanges of dead writers. Must be called in a transaction. */
export function closeLost(database: DatabaseSync, now: number): void {
  for (const writer of deadWriters(database, now)) closeWriter(database, writer);
}

/** Returns the dead writers that have left rows. */
export function deadWriters(database: DatabaseSync, now: number): SQLInputValue[] {
  return database
    .prepare('SELECT writer, process, max(seen_at) AS seen_at FROM running GROUP BY 1, 2')
    .all()
    .filter((row) => isDead(Number(row.process), Number(row.seen_at), now))
    .map(({ writer }) => writer ?? null);
}

function closeWriter(database: DatabaseSync, writer: SQLInputValue): void {
  database
    .prepare(`INSERT INTO exchanges (${NAMES}) SELECT ${NAMES} FROM running WHERE writer = ? ORDER BY at`)
    .run(writer);
  database.prepare('DELETE FROM running WHERE writer = ?').run(writer);
}

/** @param seenAt when the process has last written, in milliseconds since the epoch. */
export function isDead(pid: number, seenAt: number, now: number): boolean {
  if (now - seenAt > SILENCE_MS) return true;
  // In a container, a restarted process can have the same process ID as the one before.
  if (pid === process.pid) return seenAt < now - process.uptime() * 1000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
