import type { DatabaseConnection, PreparedStatement } from './connection.ts';
import { databaseError } from './databaseError.ts';
import type { TeamExchangeRow } from './exchangeRow.ts';

/** Longest time that a row is queued while the database is available. */
export const FLUSH_MS = 100;
const MAX_BATCH = 500;

/** Returns one row, because the IDs are known. */
const ENTER: PreparedStatement = { name: 'enter', text: 'SELECT count(*) FROM enter($1, $2)' };

export interface RowWriterOptions {
  readonly connection: DatabaseConnection;
  readonly replica: string;
  /** Called with the IDs of rows that no longer have to be kept in the spool. */
  readonly onSettled: (ids: readonly string[]) => void;
  /** Called with a sentence for the user: once when the database goes away, and for each refused row. */
  readonly onProblem: (message: string) => void;
}

/**
 * Writes exchanges to the database in batches, after the exchanges have ended. If the outcome of a batch is unknown, it
 * is sent again; each exchange is entered only once. If the database refuses a batch, its rows are written one by one.
 */
export class RowWriter {
  readonly #options: RowWriterOptions;
  #waiting: TeamExchangeRow[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isAway = false;

  constructor(options: RowWriterOptions) {
    this.#options = options;
  }

  /** Whether the last batch could not be written because the database was away. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Number of rows that are not in the database yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(row: TeamExchangeRow): void {
    this.#waiting.push(row);
    this.#flushLater();
  }

  /** Writes the queued rows. Resolves when they are in the database or cannot be written now. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#waiting.length === 0) return;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => {
      // Reset even if the queue is empty, so that the next row starts the timer again.
      this.#timer = undefined;
      void this.flush();
    }, FLUSH_MS);
  }

  async #writeAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MAX_BATCH);
      if (!(await this.#write(batch))) {
        this.#flushLater();
        return;
      }
      this.#waiting = this.#waiting.slice(batch.length);
    }
  }

  /** @returns false if the batch must be written again. */
  async #write(batch: readonly TeamExchangeRow[]): Promise<boolean> {
    const { connection, replica, onSettled, onProblem } = this.#options;
    try {
      await connection.query(ENTER, [replica, JSON.stringify(batch)]);
    } catch (error) {
      const { problem, message } = databaseError(error);
      if (problem === 'away') {
        if (!this.#isAway) onProblem(`${message} Exchanges wait in the spool.`);
        this.#isAway = true;
        return false;
      }
      const [row, ...others] = batch;
      if (row !== undefined && others.length > 0) return this.#writeEach(batch);
      onProblem(`${message} The exchange ${row?.id} is not recorded.`);
    }
    this.#isAway = false;
    onSettled(batch.map(({ id }) => id));
    return true;
  }

  async #writeEach(batch: readonly TeamExchangeRow[]): Promise<boolean> {
    for (const row of batch) {
      if (!(await this.#write([row]))) return false;
    }
    return true;
  }
}
