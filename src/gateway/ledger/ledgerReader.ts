import type { DatabaseSync } from 'node:sqlite';
import type { Spent } from '../core/cost.ts';
import { spentSince } from './accountSpend.ts';
import { openForReading, openForWriting } from './database.ts';
import { exchangeNames, exchangePage } from './exchangePages.ts';
import type { ExchangeNames, ExchangePage, ExchangeQuestion, SessionPage, SessionQuestion } from './exchangeQuery.ts';
import { closeLost, deadWriters } from './runningRows.ts';
import { sessionPage, usageSessions } from './sessionSums.ts';
import {
  type Dimension,
  estimatesOfKey,
  lastUseOfKey,
  type Period,
  type SpendRow,
  spendBy,
  spentByKey,
} from './spend.ts';
import { describeFailure, isBusy } from './sqlite.ts';
import { defineTimeBucket } from './summary.ts';
import { inTransaction } from './transaction.ts';
import type { UsageAccount, UsageLine, UsageReport, UsageScope, UsageSessions } from './usage.ts';
import { usageLines, usageReport } from './usageReport.ts';

/** Queries of the ledger, from any process, while another writes. */
export class LedgerReader {
  readonly #path: string;
  readonly #database: DatabaseSync;

  /** @throws {LedgerError} */
  constructor(path: string) {
    this.#path = path;
    this.#database = openForReading(path);
    defineTimeBucket(this.#database);
  }

  /** Enters what processes that have died in the meantime have left, so that it is read too. @throws {LedgerError} */
  enterLost(now = Date.now()): void {
    if (this.#read(() => deadWriters(this.#database, now)).length === 0) return;
    const database = openForWriting(this.#path);
    try {
      inTransaction(database, () => closeLost(database, now));
    } catch (error) {
      // Another process writes at this moment; the next question finds what it leaves.
      if (!isBusy(error)) throw describeFailure(error, this.#path);
    } finally {
      database.close();
    }
  }

  /** Sums of a period, told apart by each of the dimensions; without any, one row of all. */
  spend<By extends Dimension>(period: Period, by: readonly By[]): SpendRow<By>[] {
    return spendBy(this.#database, period, by);
  }

  /** All that a local key has spent since then, in milliseconds since the epoch. */
  spentBy(localKeyId: string, since: number): Spent {
    return this.#read(() => spentByKey(this.#database, localKeyId, since));
  }

  /** How many exchanges of a local key since then have an estimate of their usage. */
  estimatesOf(localKeyId: string, since: number): number {
    return this.#read(() => estimatesOfKey(this.#database, localKeyId, since));
  }

  /** What an upstream's account has paid from this day on, in billionths of a US dollar. @throws {LedgerError} */
  spentSince(upstream: string, day: string): number {
    return this.#read(() => spentSince(this.#database, upstream, day));
  }

  /** In milliseconds since the epoch; `undefined` when no exchange of the key is kept. */
  lastUseOf(localKeyId: string): number | undefined {
    return this.#read(() => lastUseOfKey(this.#database, localKeyId));
  }

  /** @throws {LedgerError} */
  usage(scope: UsageScope, account?: UsageAccount, now = Date.now()): UsageReport {
    return this.#read(() => usageReport(this.#database, scope, account, now));
  }

  /** @throws {LedgerError} */
  usageSessions(scope: UsageScope): UsageSessions {
    return this.#read(() => usageSessions(this.#database, scope));
  }

  /** @throws {LedgerError} */
  usageLines(scope: UsageScope): UsageLine[] {
    return this.#read(() => usageLines(this.#database, scope));
  }

  /** @throws {LedgerError} */
  exchanges(question: Omit<ExchangeQuestion, 'ledger'>): ExchangePage {
    return this.#read(() => exchangePage(this.#database, question));
  }

  /** @throws {LedgerError} */
  sessions(question: Omit<SessionQuestion, 'ledger'>): SessionPage {
    return this.#read(() => sessionPage(this.#database, question));
  }

  /** @throws {LedgerError} */
  exchangeNames(): ExchangeNames {
    return this.#read(() => exchangeNames(this.#database));
  }

  #read<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      throw describeFailure(error, this.#path);
    }
  }

  close(): void {
    this.#database.close();
  }
}
