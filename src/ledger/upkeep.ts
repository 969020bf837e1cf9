import type { DatabaseSync } from 'node:sqlite';
import { enterLost } from './lostExchanges.ts';
import { prune, type Retention } from './retention.ts';
import { DailySums } from './summary.ts';

interface UpkeepOptions {
  readonly database: DatabaseSync;
  /** The path of the ledger. */
  readonly path: string;
  readonly retention: Retention;
  /** Runs an operation that can fail for reasons outside the program, and reports the failure. */
  readonly guard: (work: () => void) => void;
  /** Called with a sentence for the user about each file of lost exchanges that is damaged. */
  readonly onDamage: (message: string) => void;
}

const FIRST_MS = 10_000;
const INTERVAL_MS = 60 * 60 * 1000;
const NEXT_STEP_MS = 100;
/** Exchanges added to the daily sums in one step, which takes a few milliseconds. */
const SUMMARIZED_AT_ONCE = 500;
/** Once {@link SUMMARIZED_AT_ONCE} rows are missing from the sums, they are added after this time without a write. */
const PAUSE_MS = 1_000;
/**
 * With this many missing rows, they are added without waiting, because each reader of the sums has to add them itself.
 */
const MAX_UNSUMMARIZED = 4 * SUMMARIZED_AT_ONCE;

/** Updates the ledger's sums, enters lost exchanges, and removes old rows, in steps that hardly delay requests. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #sums: DailySums;
  /** Rows written since the daily sums were last updated. */
  #unsummarized = 0;
  readonly #reported = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#sums = new DailySums(options.database);
  }

  /** Enters lost exchanges at once, because budgets need them. */
  start(): void {
    this.#options.guard(() => this.#enterLost());
    this.#runAfter(FIRST_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Called after rows were written. Waits for a pause in the traffic, because updating the sums delays requests. */
  written(rows: number): void {
    this.#unsummarized += rows;
    if (this.#unsummarized >= MAX_UNSUMMARIZED) this.#runAfter(0);
    else if (this.#unsummarized >= SUMMARIZED_AT_ONCE) this.#runAfter(PAUSE_MS);
  }

  finish(): void {
    this.#options.guard(() => {
      while (this.#step());
    });
  }

  /**
   * First updates the sums, since only rows included in them may be removed.
   * @returns whether there is more to do.
   */
  #step(): boolean {
    const { database, retention } = this.#options;
    this.#enterLost();
    const hasMore = this.#sums.add(SUMMARIZED_AT_ONCE);
    this.#unsummarized = hasMore ? Math.max(0, this.#unsummarized - SUMMARIZED_AT_ONCE) : 0;
    return hasMore || prune(database, retention, Date.now());
  }

  #enterLost(): void {
    const { database, path } = this.#options;
    enterLost(database, path, Date.now(), this.#reportOnce);
  }

  /** A file that cannot be read is found again in each step. */
  readonly #reportOnce = (message: string): void => {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#options.onDamage(message);
  };

  #runAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      let hasMore = false;
      this.#options.guard(() => {
        hasMore = this.#step();
      });
      this.#runAfter(hasMore ? NEXT_STEP_MS : INTERVAL_MS);
    }, delayMs).unref();
  }
}
