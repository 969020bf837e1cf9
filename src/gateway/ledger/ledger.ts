import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Spent } from '../core/cost.ts';
import type { LedgerEntry } from '../core/ledgerEntry.ts';
import type { LedgerWriter } from '../core/ledgerWriter.ts';
import { spentSince } from './accountSpend.ts';
import { type BalanceReading, writeReading } from './balanceReadings.ts';
import { openForWriting } from './database.ts';
import { DEFAULT_RETENTION, prune, type Retention } from './retention.ts';
import { INSERT, valuesOf } from './row.ts';
import { closeLost, RunningRows } from './runningRows.ts';
import { readSessionKey, spentOnSession } from './sessions.ts';
import { spentByKey } from './spend.ts';
import { describeFailure, isBusy, type LedgerError } from './sqlite.ts';
import { defineTimeBucket, summarise } from './summary.ts';
import { inTransaction } from './transaction.ts';

export interface LedgerOptions {
  /** Made when it does not exist, with the folders above it. */
  readonly path: string;
  readonly retention?: Retention;
  /** Called after each batch, with the ids of the exchanges that can be read from now on. */
  readonly onEntered?: (ids: readonly string[]) => void;
  /** Called when entries cannot be written, once until it works again. They are kept and tried again. */
  readonly onProblem?: (error: LedgerError) => void;
}

/** What is known of a running exchange, by its id. */
type Running = readonly [id: string, soFar: () => LedgerEntry];
type RunningExchanges = Map<string, () => LedgerEntry>;

/** How long an entry waits at most; a kill loses no more than this. */
const BATCH_MS = 100;
/**
 * How long a running exchange waits for its row at least, and at most twice as long. Those that are over by then never get
 * one, which halves what the ledger costs them; a kill loses no more of them than of the entries that wait.
 */
const BEGUN_MS = 50;
/** Entries that wait for a disk that refuses them; beyond it the oldest are given up. */
const MAX_WAITING = 10_000;
/** How often what is known of running exchanges is written anew. In milliseconds. */
const RENEWAL_MS = 2_000;
const FIRST_TIDYING_MS = 10_000;
const TIDYING_MS = 60 * 60 * 1000;
const NEXT_STEP_MS = 100;
/** Exchanges that are added to the sums of their days at once. A step takes some milliseconds. */
const SUMMARISED_AT_ONCE = 500;
/** From so many on that are not in the sums they are added in the first pause of this length. */
const PAUSE_MS = 1_000;
/** With so many they are added at once: whoever reads the sums adds those behind them each time. */
const MAX_UNSUMMARISED = 4 * SUMMARISED_AT_ONCE;

/**
 * Who spent what: one row for each exchange, written in batches behind the exchanges. Several processes may have it
 * open, each with its own connection.
 */
export class Ledger implements LedgerWriter {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #retention: Retention;
  readonly #onEntered: ((ids: readonly string[]) => void) | undefined;
  readonly #onProblem: (error: LedgerError) => void;
  readonly #rows: RunningRows;
  #waiting: LedgerEntry[] = [];
  /** Running ones: those that have just begun, those that are to be written next, and those that have their rows. */
  #begun: RunningExchanges = new Map();
  #due: RunningExchanges = new Map();
  readonly #running: RunningExchanges = new Map();
  #ended: string[] = [];
  #renewalTimer: NodeJS.Timeout | undefined;
  /** Written since the sums of days were added to. */
  #unsummarised = 0;
  #batchTimer: NodeJS.Timeout | undefined;
  #begunTimer: NodeJS.Timeout | undefined;
  #tidyingTimer: NodeJS.Timeout | undefined;
  #sessionKey: Uint8Array | undefined;
  #isFailing = false;
  #isClosed = false;

  /** @throws {LedgerError} */
  constructor({ path, retention = DEFAULT_RETENTION, onEntered, onProblem = () => undefined }: LedgerOptions) {
    this.#path = path;
    this.#database = openForWriting(path);
    defineTimeBucket(this.#database);
    this.#insert = this.#database.prepare(INSERT);
    this.#rows = new RunningRows(this.#database);
    this.#retention = retention;
    this.#onEntered = onEntered;
    this.#onProblem = onProblem;
    this.#closeLost();
    this.#tidyUpAfter(FIRST_TIDYING_MS);
  }

  /** The key for the hashes of sessions, the same for all processes that use this file. */
  get sessionKey(): Uint8Array {
    this.#sessionKey ??= readSessionKey(this.#database);
    return this.#sessionKey;
  }

  /** Its row is written soon, unless it is over before. Beginning again what runs replaces its row. */
  begin(id: string, soFar: () => LedgerEntry): void {
    if (this.#isClosed) return;
    this.#begun.set(id, soFar);
    this.#begunTimer ??= setTimeout(this.#writeBegun, BEGUN_MS);
  }

  /**
   * Costs nothing now: the entry is written within {@link BATCH_MS}. Never throws.
   * @param hasRow whether another ledger of this process may have written that it runs.
   */
  append(entry: LedgerEntry, hasRow = false): void {
    if (this.#isClosed) return;
    this.#waiting.push(entry);
    this.#begun.delete(entry.id);
    this.#due.delete(entry.id);
    if (this.#running.delete(entry.id) || hasRow) this.#ended.push(entry.id);
    this.#batchTimer ??= setTimeout(this.#writeBatch, BATCH_MS);
  }

  /** Writes what waits. @returns false when it could not be written now and waits on. */
  flush(): boolean {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    return this.#write([...this.#due, ...this.#begun]);
  }

  /** Writes what the service said was left, after what waits. Never throws. */
  writeReading(reading: BalanceReading): void {
    this.flush();
    this.#guard(() => writeReading(this.#database, reading));
  }

  /** All that the local key has spent since then, in milliseconds since the epoch. What waits is in it. */
  spentBy(localKeyId: string, since: number): Spent {
    this.flush();
    return spentByKey(this.#database, localKeyId, since);
  }

  /** What an upstream's account has paid from this day on, whoever asked, in billionths of a US dollar. */
  spentSince(upstream: string, day: string): number {
    this.flush();
    return spentSince(this.#database, upstream, day);
  }

  /** What the requests of a session have cost, in billionths of a US dollar. What waits is in it. */
  spentOnSession(sessionId: string): number {
    this.flush();
    return spentOnSession(this.#database, sessionId);
  }

  /** Removes what the retention does not keep. Happens by itself every hour, in small steps. */
  prune(): void {
    this.#guard(() => {
      while (this.#tidyUp());
    });
  }

  close(): void {
    this.flush();
    this.#isClosed = true;
    clearTimeout(this.#batchTimer);
    clearTimeout(this.#begunTimer);
    clearTimeout(this.#tidyingTimer);
    clearTimeout(this.#renewalTimer);
    this.#database.close();
  }

  readonly #writeBatch = (): void => {
    this.#batchTimer = undefined;
    if (!this.#write()) this.#batchTimer = setTimeout(this.#writeBatch, BATCH_MS);
  };

  readonly #writeBegun = (): void => {
    this.#begunTimer = undefined;
    const due = [...this.#due];
    const written = due.length === 0 || this.#guard(() => inTransaction(this.#database, () => this.#writeRunning(due)));
    if (written) {
      this.#confirm(due);
      this.#due = this.#begun;
      this.#begun = new Map();
    }
    if (this.#due.size > 0) this.#begunTimer = setTimeout(this.#writeBegun, written ? BEGUN_MS : BATCH_MS);
  };

  #write(begun: readonly Running[] = []): boolean {
    const entries = this.#waiting;
    if (entries.length + begun.length === 0) return true;
    const written = this.#guard(() => {
      inTransaction(this.#database, () => {
        for (const entry of entries) this.#insert.run(...valuesOf(entry));
        for (const id of this.#ended) this.#rows.remove(id);
        this.#writeRunning(begun);
      });
    });
    this.#waiting = written ? [] : entries.slice(-MAX_WAITING);
    if (written) {
      this.#ended = [];
      this.#confirm(begun);
      this.#summariseLater(entries.length);
      if (entries.length > 0) this.#onEntered?.(entries.map(({ id }) => id));
    }
    if (entries.length > MAX_WAITING && !written)
      this.#fail(new Error('Exchanges arrived faster than they could be written'));
    return written;
  }

  #writeRunning(exchanges: Iterable<Running>): void {
    for (const [, soFar] of exchanges) this.#rows.write(soFar(), Date.now());
  }

  #confirm(written: readonly Running[]): void {
    for (const [id, soFar] of written) {
      this.#begun.delete(id);
      this.#due.delete(id);
      this.#running.set(id, soFar);
      this.#rows.confirm(id);
    }
    if (this.#running.size > 0) this.#renewalTimer ??= setTimeout(this.#renew, RENEWAL_MS).unref();
  }

  readonly #renew = (): void => {
    this.#renewalTimer = undefined;
    if (this.#running.size === 0) return;
    this.#guard(() => {
      inTransaction(this.#database, () => {
        this.#writeRunning(this.#running);
      });
    });
    this.#renewalTimer = setTimeout(this.#renew, RENEWAL_MS).unref();
  };

  /** Of processes that died. */
  #closeLost(): void {
    this.#guard(() => {
      inTransaction(this.#database, () => closeLost(this.#database, Date.now()));
    });
  }

  /** In a pause: nobody waits for the sums, but whoever asks in the meantime would. */
  #summariseLater(written: number): void {
    this.#unsummarised += written;
    if (this.#unsummarised >= MAX_UNSUMMARISED) this.#tidyUpAfter(0);
    else if (this.#unsummarised >= SUMMARISED_AT_ONCE) this.#tidyUpAfter(PAUSE_MS);
  }

  /** One small step: sums first, since only what they hold may go. @returns whether there is more to do. */
  #tidyUp(): boolean {
    inTransaction(this.#database, () => closeLost(this.#database, Date.now()));
    const hasMore = summarise(this.#database, SUMMARISED_AT_ONCE);
    this.#unsummarised = hasMore ? Math.max(0, this.#unsummarised - SUMMARISED_AT_ONCE) : 0;
    return hasMore || prune(this.#database, this.#retention, Date.now());
  }

  #tidyUpAfter(delayMs: number): void {
    clearTimeout(this.#tidyingTimer);
    this.#tidyingTimer = setTimeout(() => {
      let hasMore = false;
      this.#guard(() => {
        hasMore = this.#tidyUp();
      });
      this.#tidyUpAfter(hasMore ? NEXT_STEP_MS : TIDYING_MS);
    }, delayMs).unref();
  }

  /** Runs what may fail for reasons outside the program. @returns whether it went well. */
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
