/**
 * Running exchanges with their estimated usage, in case their process ends unexpectedly. A writer updates its rows
 * while it lives. The rows of a dead writer become exchanges with the end `lost`.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { hasCode } from '../display/errors.ts';
import { COLUMN_NAMES } from './columns.ts';
import type { LedgerEntry } from './ledgerEntry.ts';
import type { PendingRows } from './pendingRows.ts';
import { allValues, valuesOf } from './row.ts';
import { inTransaction } from './sqlite.ts';

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
  return pid === process.pid ? seenAt < now - process.uptime() * 1000 : hasEnded(pid);
}

export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, 'ESRCH');
  }
}

/** A running exchange: its ID, and a function that returns its current entry. */
export type RunningEntry = readonly [id: string, soFar: () => LedgerEntry];
type Entries = Map<string, () => LedgerEntry>;

/**
 * Under load, a running exchange gets a row after one to two of these intervals. Exchanges that end earlier never get
 * one, which halves their cost.
 */
const BEGUN_MS = 50;
/** After a pause of {@link BEGUN_MS}, a running exchange gets its row this soon. */
const FIRST_BEGUN_MS = 5;
/** After a failure, rows are written again this much later. */
const RETRY_MS = 100;
/** Interval at which the rows of running exchanges are updated, in milliseconds. */
const RENEWAL_MS = 2_000;

/** The exchanges of a ledger that have not ended: when their rows are written, and written again. */
export class RunningEntries {
  readonly rows: RunningRows;
  readonly #database: DatabaseSync;
  readonly #pending: PendingRows;
  readonly #guard: (work: () => void) => boolean;
  /** Recently begun, to be written next, and with a row. */
  #begun: Entries = new Map();
  #due: Entries = new Map();
  readonly #written: Entries = new Map();
  #begunTimer: NodeJS.Timeout | undefined;
  #renewalTimer: NodeJS.Timeout | undefined;

  /** @param guard runs an operation that can fail for reasons outside the program, and returns whether it succeeded. */
  constructor(database: DatabaseSync, pending: PendingRows, guard: (work: () => void) => boolean) {
    this.#database = database;
    this.#pending = pending;
    this.#guard = guard;
    this.rows = new RunningRows(database);
  }

  /** Those without a row. */
  get unwritten(): readonly RunningEntry[] {
    return [...this.#due, ...this.#begun];
  }

  /** @param isFlushed whether the ledger writes its row immediately. */
  begin(id: string, soFar: () => LedgerEntry, isFlushed: boolean): void {
    this.#begun.set(id, soFar);
    if (isFlushed || this.#begunTimer !== undefined) this.#pending.addSoon(id, soFar);
    // Its row is written as soon as a pending one would be.
    else this.#begunTimer = setTimeout(this.#writeFirst, FIRST_BEGUN_MS);
  }

  /** @returns whether the exchange has a row. */
  end(id: string): boolean {
    this.#begun.delete(id);
    this.#due.delete(id);
    return this.#written.delete(id);
  }

  /** Must be called in a transaction. */
  write(exchanges: Iterable<RunningEntry>): void {
    for (const [, soFar] of exchanges) this.rows.write(soFar(), Date.now());
  }

  /** Called when the rows have been committed. */
  confirm(written: readonly RunningEntry[]): void {
    for (const [id, soFar] of written) {
      this.#begun.delete(id);
      this.#due.delete(id);
      this.#written.set(id, soFar);
      this.rows.confirm(id);
    }
    this.#pending.settle(written.map(([id]) => id));
    if (this.#written.size > 0) this.#renewalTimer ??= setTimeout(this.#renew, RENEWAL_MS).unref();
  }

  /** Called when the ledger could not write. */
  writeLater(): void {
    this.#begunTimer ??= setTimeout(this.#writeBegun, RETRY_MS);
  }

  /** Adds those without a row to the pending rows. */
  keep(running = this.unwritten): void {
    for (const [id, soFar] of running) this.#pending.addSoon(id, soFar);
  }

  close(): void {
    clearTimeout(this.#begunTimer);
    clearTimeout(this.#renewalTimer);
  }

  readonly #writeFirst = (): void => {
    this.#due = this.#begun;
    this.#begun = new Map();
    this.#writeBegun();
  };

  readonly #writeBegun = (): void => {
    this.#begunTimer = undefined;
    const due = [...this.#due];
    const written = due.length === 0 || this.#commit(due);
    if (written) {
      if (due.length > 0) this.confirm(due);
      this.#due = this.#begun;
      this.#begun = new Map();
    } else this.keep(due);
    // Also without exchanges, so that a series of short ones is not written one by one.
    if (due.length + this.#due.size > 0) this.#begunTimer = setTimeout(this.#writeBegun, written ? BEGUN_MS : RETRY_MS);
  };

  readonly #renew = (): void => {
    this.#renewalTimer = undefined;
    if (this.#written.size === 0) return;
    this.#commit(this.#written);
    this.#renewalTimer = setTimeout(this.#renew, RENEWAL_MS).unref();
  };

  #commit(exchanges: Iterable<RunningEntry>): boolean {
    return this.#guard(() => inTransaction(this.#database, () => this.write(exchanges)));
  }
}
