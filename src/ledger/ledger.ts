import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { MeasuredContext } from '../rules/contextPart.ts';
import { spentSince } from './accountSpend.ts';
import { type BalanceReading, writeReading } from './balanceReadings.ts';
import { contextValue } from './contextCost.ts';
import type { Spent } from './cost.ts';
import { openForWriting, waitForOthers } from './database.ts';
import type { LedgerEntry } from './ledgerEntry.ts';
import type { CountedModel } from './outputSpeeds.ts';
import { PendingRows } from './pendingRows.ts';
import { DEFAULT_RETENTION, type Retention } from './retention.ts';
import { RowInsertion, type RowValues, valuesOf, withContext } from './row.ts';
import { RunningEntries, type RunningEntry } from './runningRows.ts';
import { readSessionKey } from './schema.ts';
import { outputSpeeds, spentByKey, spentOnSession } from './spend.ts';
import { describeFailure, inTransaction, isBusy, LedgerError } from './sqlite.ts';
import { defineTimeBucket } from './summary.ts';
import { Upkeep } from './upkeep.ts';

export interface LedgerOptions {
  /** Created if it does not exist, with its parent folders. */
  readonly path: string;
  readonly retention?: Retention;
  /** Called after each batch with the IDs of the exchanges that can now be read. */
  readonly onEntered?: (ids: readonly string[]) => void;
  /**
   * Called when entries cannot be written, once until writing succeeds again. The entries are kept, and writing is
   * retried.
   */
  readonly onProblem?: (error: LedgerError) => void;
}

/** Longest time that a row is queued. */
const BATCH_MS = 100;
/** Longest queue while the disk cannot be written. Beyond it, the oldest entries are dropped. */
const MAX_WAITING = 10_000;

/**
 * The record of all spending: one row for each exchange, written in batches after the exchanges have ended. Rows that
 * wait for a batch are pending rows, in case the process is killed. Several processes can open the file at the same
 * time, each with its own connection.
 */
export class Ledger {
  /** Key for the hashes of session IDs, shared by all processes that use this file. */
  readonly sessionKey: Uint8Array;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #insert: RowInsertion;
  readonly #addContexts: StatementSync;
  readonly #onEntered: ((ids: readonly string[]) => void) | undefined;
  readonly #onProblem: (error: LedgerError) => void;
  readonly #running: RunningEntries;
  readonly #pending: PendingRows;
  readonly #upkeep: Upkeep;
  #waiting: { readonly id: string; readonly values: RowValues }[] = [];
  /** What requests consist of whose rows were written. */
  #contexts: [context: string, at: number, id: string][] = [];
  #ended: string[] = [];
  #batchTimer: NodeJS.Timeout | undefined;
  #flushing: NodeJS.Immediate | undefined;
  #isFailing = false;
  /** Whether the last write failed, for example because the file is locked. Then entries wait for the next batch. */
  #isBlocked = false;
  #isClosed = false;

  /** @throws {LedgerError} */
  constructor({ path, retention = DEFAULT_RETENTION, onEntered, onProblem = () => undefined }: LedgerOptions) {
    this.#path = path;
    this.#database = openForWriting(path);
    this.#pending = new PendingRows(path, (error) => this.#fail(error));
    try {
      defineTimeBucket(this.#database);
      this.#insert = new RowInsertion(this.#database);
      this.#addContexts = this.#database.prepare('UPDATE exchanges SET context = ? WHERE at = ? AND id = ?');
      this.#running = new RunningEntries(this.#database, this.#pending, (work) => this.#guard(work));
      this.sessionKey = readSessionKey(this.#database);
    } catch (error) {
      // For example, the names of columns are damaged.
      this.#database.close();
      throw describeFailure(error, path);
    }
    this.#upkeep = new Upkeep({
      database: this.#database,
      path,
      retention,
      guard: (work) => this.#guard(work),
      onDamage: (message) => onProblem(new LedgerError('damaged', message)),
    });
    this.#onEntered = onEntered;
    this.#onProblem = onProblem;
    this.#upkeep.start();
  }

  /**
   * Registers a running exchange, whose row is written soon unless it ends first. Calling it again replaces the row.
   * @param isUrgent whether the row is written immediately, because a budget must include it if the process is killed.
   */
  begin(id: string, soFar: () => LedgerEntry, isUrgent = false): void {
    if (this.#isClosed) return;
    const isFlushed = isUrgent && !this.#isBlocked;
    if (isFlushed) this.#flushSoon();
    this.#running.begin(id, soFar, isFlushed);
  }

  /**
   * Queues the entry, which is written within {@link BATCH_MS}. Never throws.
   * @param hasRow whether another ledger of this process may have written a row for the running exchange.
   * @param isUrgent whether it is written immediately.
   */
  append(entry: LedgerEntry, { hasRow = false, isUrgent = false } = {}): void {
    if (this.#isClosed) return;
    const { id } = entry;
    const values = valuesOf(entry);
    this.#waiting.push({ id, values });
    this.#pending.addSoon(id, values);
    if (this.#running.end(id) || hasRow) this.#ended.push(id);
    if (isUrgent && !this.#isBlocked) this.#flushSoon();
    this.#batchTimer ??= setTimeout(this.#writeBatch, BATCH_MS);
  }

  /** Adds what a request consists of to its entry, with the next batch. Never throws. */
  addContext(entry: LedgerEntry, measured: MeasuredContext): void {
    const { id, at } = entry;
    const context = contextValue(measured, entry);
    if (context === null || this.#isClosed) return;
    const waiting = this.#waiting.findLastIndex((row) => row.id === id);
    const row = this.#waiting[waiting];
    if (row === undefined) this.#contexts.push([context, at, id]);
    else this.#waiting[waiting] = { id, values: withContext(row.values, context) };
    this.#batchTimer ??= setTimeout(this.#writeBatch, BATCH_MS);
  }

  /**
   * Writes the queued entries.
   * @returns false if they could not be written now and stay in the queue.
   */
  flush(): boolean {
    clearTimeout(this.#batchTimer);
    const written = this.#write(this.#running.unwritten);
    this.#batchTimer = written ? undefined : setTimeout(this.#writeBatch, BATCH_MS);
    return written;
  }

  /** Writes a balance reading, after the queued entries. Never throws. */
  writeReading(reading: BalanceReading): void {
    this.flush();
    this.#guard(() => writeReading(this.#database, reading));
  }

  /**
   * Returns the total spending of a local key since a time and before another one, in milliseconds since the epoch.
   * Includes queued entries.
   * @throws {LedgerError}
   */
  spentBy(localKeyId: string, since: number, before?: number): Spent {
    return this.#read(() => spentByKey(this.#database, localKeyId, since, before));
  }

  /**
   * Returns the cost charged to an upstream's account since the start of this day, for all callers, in billionths of a
   * US dollar.
   * @throws {LedgerError}
   */
  spentSince(upstream: string, day: string): number {
    return this.#read(() => spentSince(this.#database, upstream, day));
  }

  /**
   * Returns the cost of a session's requests, in billionths of a US dollar. Includes queued entries.
   * @throws {LedgerError}
   */
  spentOnSession(sessionId: string): number {
    return this.#read(() => spentOnSession(this.#database, sessionId));
  }

  /**
   * Returns how fast a model wrote its latest answers whose usage was reported, in tokens per second.
   * @throws {LedgerError}
   */
  outputSpeeds(model: CountedModel): number[] {
    return this.#read(() => outputSpeeds(this.#database, model));
  }

  /** Removes what exceeds the retention. Also runs automatically every hour, in small steps. */
  prune(): void {
    this.#upkeep.finish();
  }

  /** Writes the queued entries, also if that has to wait for another process. Reports what could not be written. */
  close(): void {
    if (!this.flush()) {
      waitForOthers(this.#database);
      if (!this.flush()) {
        this.#running.keep();
        this.#pending.addNow();
        this.#fail(new Error('The last requests could not be written before the ledger was closed'));
      }
    }
    this.#isClosed = true;
    this.#pending.close();
    clearTimeout(this.#batchTimer);
    clearImmediate(this.#flushing);
    this.#running.close();
    this.#upkeep.stop();
    this.#database.close();
  }

  readonly #writeBatch = (): void => {
    this.#batchTimer = undefined;
    if (!this.#write()) this.#batchTimer = setTimeout(this.#writeBatch, BATCH_MS);
  };

  /** Writes everything after the current turn of the event loop, so that what happens at the same time is one write. */
  #flushSoon(): void {
    this.#flushing ??= setImmediate(() => {
      this.#flushing = undefined;
      if (!this.flush()) this.#running.writeLater();
    });
  }

  #write(begun: readonly RunningEntry[] = []): boolean {
    const entries = this.#waiting;
    const contexts = this.#contexts;
    if (entries.length + begun.length + contexts.length === 0) return true;
    const written = this.#guard(() => {
      inTransaction(this.#database, () => {
        for (const { values } of entries) this.#insert.run(values);
        for (const context of contexts) this.#addContexts.run(...context);
        for (const id of this.#ended) this.#running.rows.remove(id);
        this.#running.write(begun);
      });
    });
    this.#isBlocked = !written;
    this.#waiting = written ? [] : entries.slice(-MAX_WAITING);
    this.#contexts = written ? [] : contexts.slice(-MAX_WAITING);
    if (written) {
      this.#ended = [];
      this.#pending.settle(entries.map(({ id }) => id));
      this.#running.confirm(begun);
      this.#upkeep.written(entries.length);
      if (entries.length > 0) this.#onEntered?.(entries.map(({ id }) => id));
    }
    if (entries.length > MAX_WAITING && !written) {
      this.#pending.settle(entries.slice(0, -MAX_WAITING).map(({ id }) => id));
      this.#fail(new Error('Exchanges arrived faster than they could be written'));
    }
    return written;
  }

  /** Budgets must not count without the sums, so a damaged file is an error. */
  #read<Result>(read: () => Result): Result {
    this.flush();
    try {
      return read();
    } catch (error) {
      throw describeFailure(error, this.#path);
    }
  }

  /**
   * Runs an operation that can fail for reasons outside the program.
   * @returns whether it succeeded.
   */
  #guard(work: () => void): boolean {
    try {
      work();
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!isBusy(error)) this.#fail(error);
      return false;
    }
  }

  #fail(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#onProblem(describeFailure(error, this.#path));
  }
}
