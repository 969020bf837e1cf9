import type { DatabaseSync } from 'node:sqlite';
import { openForReading } from './database.ts';
import { type Dimension, type Period, type SpendRow, type Spent, spendBy, spentByKey } from './spend.ts';

/** Queries of the ledger, from any process, while another writes. */
export class LedgerReader {
  readonly #database: DatabaseSync;

  /** @throws {LedgerError} */
  constructor(path: string) {
    this.#database = openForReading(path);
  }

  /** Sums of a period, told apart by each of the dimensions; without any, one row of all. */
  spend<By extends Dimension>(period: Period, by: readonly By[]): SpendRow<By>[] {
    return spendBy(this.#database, period, by);
  }

  /** All that a local key has spent since then, in milliseconds since the epoch. */
  spentBy(localKeyId: string, since: number): Spent {
    return spentByKey(this.#database, localKeyId, since);
  }

  close(): void {
    this.#database.close();
  }
}
