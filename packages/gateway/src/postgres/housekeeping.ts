import type { DatabaseConnection } from './connection.ts';
import { reportUnlessAway } from './databaseError.ts';

const INTERVAL_MS = 60 * 60 * 1000;
/** The same time for which the service that defines the format stores responses. */
const RETENTION = '30 days';
/** Rows that one statement removes, so that it takes a moment even after a long time without housekeeping. */
const MAX_ROWS = 5_000;

export interface HousekeepingOptions {
  readonly connection: DatabaseConnection;
  /** Default: an hour. */
  readonly intervalMs?: number;
  readonly onProblem: (message: string) => void;
}

/**
 * Creates partitions of the ledger in advance and removes what is no longer kept, once at the start and then every hour.
 * All replicas do it, and what one has done is not done again.
 */
export class Housekeeping {
  readonly #options: HousekeepingOptions;
  readonly #timer: NodeJS.Timeout;
  #working: Promise<void>;
  #isClosed = false;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
    this.#working = this.#work();
    const again = () => {
      this.#working = this.#working.then(() => this.#work());
    };
    this.#timer = setInterval(again, options.intervalMs ?? INTERVAL_MS).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#working;
  }

  async #work(): Promise<void> {
    await this.#try(() => this.#options.connection.query('SELECT keep_partitions()'));
    for (const table of ['response', 'response_item']) await this.#try(() => this.#prune(table));
    await this.#try(() => this.#removeContexts());
  }

  async #removeContexts(): Promise<void> {
    let removed = 0;
    do {
      const [row] = await this.#options.connection.query('SELECT remove_contexts($1) AS removed', [MAX_ROWS]);
      removed = Number(row?.removed);
    } while (removed === MAX_ROWS && !this.#isClosed);
  }

  async #prune(table: string): Promise<void> {
    let removed = 0;
    do {
      const rows = await this.#options.connection.query(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} WHERE at < now() - $1::interval LIMIT ${MAX_ROWS})) RETURNING 1`,
        [RETENTION],
      );
      removed = rows.length;
    } while (removed === MAX_ROWS && !this.#isClosed);
  }

  /** If the database is unavailable, the next run does the rest, and other code reports it. */
  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#isClosed) reportUnlessAway(error, this.#options.onProblem);
    }
  }
}
