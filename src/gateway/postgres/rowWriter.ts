import type { Connection } from './connection.ts';
import { databaseError } from './databaseError.ts';
import type { ExchangeRow } from './exchangeRow.ts';

/** How long a row waits at most while the database is there. */
export const FLUSH_MS = 100;
const MAX_BATCH = 500;

export interface RowWriterOptions {
  readonly connection: Connection;
  readonly replica: string;
  /** Called with the ids of rows that need not be kept any more. */
  readonly onSettled: (ids: readonly string[]) => void;
  /** Called with a sentence for a person: when the database is away, once until it is back, and about refused rows. */
  readonly onProblem: (message: string) => void;
}

/**
 * Writes exchanges into the database, in batches behind them. A batch whose outcome is unknown is sent again: each
 * exchange is entered once. Of a batch that the database refuses, the rows go one by one.
 */
export class RowWriter {
  readonly #options: RowWriterOptions;
  #waiting: ExchangeRow[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isAway = false;

  constructor(options: RowWriterOptions) {
    this.#options = options;
  }

  /** Whether the last batch could not be written because nobody answered. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** How many rows are not in the database yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Costs nothing now. */
  add(row: ExchangeRow): void {
    this.#waiting.push(row);
    this.#flushLater();
  }

  /** Writes what waits; resolves when it is in the database or cannot be written now. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#waiting.length === 0) return;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** Nothing is written any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => {
      // Also when nothing waits any more: who comes next has to start it again.
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

  /** @returns false when it has to be tried again. */
  async #write(batch: readonly ExchangeRow[]): Promise<boolean> {
    const { connection, replica, onSettled, onProblem } = this.#options;
    try {
      await connection.query('SELECT enter_1($1, $2)', [replica, JSON.stringify(batch)]);
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

  async #writeEach(batch: readonly ExchangeRow[]): Promise<boolean> {
    for (const row of batch) {
      if (!(await this.#write([row]))) return false;
    }
    return true;
  }
}
