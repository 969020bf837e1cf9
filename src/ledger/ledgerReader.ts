import type { DatabaseSync } from 'node:sqlite';
import type { BilledContext } from '../rules/contextPart.ts';
import { spentSince } from './accountSpend.ts';
import { branchCost } from './branchSums.ts';
import {
  contextRows,
  type RequestContextQuestion,
  requestContext,
  sessionContext,
  usageContext,
} from './contextQueries.ts';
import { type ContextReport, contextReport } from './contextReport.ts';
import type { ContextLine } from './contextSums.ts';
import type { Spent } from './cost.ts';
import { openForReading, openForWriting } from './database.ts';
import { exchangeNames, exchangePage } from './exchangePages.ts';
import type { ExchangeNames, ExchangePage, ExchangeQuestion, SessionPage, SessionQuestion } from './exchangeQuery.ts';
import { enterLost, hasLost } from './lostExchanges.ts';
import type { SessionContext } from './sessionContext.ts';
import { sessionPage, usageSessions } from './sessionSums.ts';
import type { BranchCost, BranchQuestion, UsageSessions } from './sessionUsage.ts';
import { lastUseOfKey, sampleOfKey, spentByKey, type Uncertain, uncertainOfKey } from './spend.ts';
import { describeFailure, isBusy } from './sqlite.ts';
import { defineTimeBucket } from './summary.ts';
import type { UsageAccount, UsageLine, UsageReport, UsageScope } from './usage.ts';
import { fromFirstRequest } from './usageCells.ts';
import { usageLines, usageReport } from './usageReport.ts';

/** Queries the ledger. Works in any process while another one writes. */
export class LedgerReader {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #onDamage: (message: string) => void;

  /**
   * @param onDamage called with a sentence for the user about each file of lost exchanges that is damaged.
   * @throws {LedgerError}
   */
  constructor(path: string, onDamage: (message: string) => void = () => undefined) {
    this.#path = path;
    this.#onDamage = onDamage;
    this.#database = openForReading(path);
    defineTimeBucket(this.#database);
  }

  /**
   * Enters the exchanges of processes that have ended unexpectedly, so that queries include them.
   * @throws {LedgerError}
   */
  enterLost(now = Date.now()): void {
    if (!this.#read(() => hasLost(this.#database, this.#path, now))) return;
    const database = openForWriting(this.#path);
    try {
      enterLost(database, this.#path, now, this.#onDamage);
    } catch (error) {
      // Another process is writing now. The next query will find the rows.
      if (!isBusy(error)) throw describeFailure(error, this.#path);
    } finally {
      database.close();
    }
  }

  /** Returns the total spending of a local key since a time and before another one, in milliseconds since the epoch. */
  spentBy(localKeyId: string, since: number, before?: number): Spent {
    return this.#read(() => spentByKey(this.#database, localKeyId, since, before));
  }

  /** Returns how much of the spending of a local key is sample money, in billionths of a US dollar. */
  sampleOf(localKeyId: string): number {
    return this.#read(() => sampleOfKey(this.#database, localKeyId));
  }

  /** Returns what is not certain of the spending of a local key since this time. */
  uncertainOf(localKeyId: string, since: number): Uncertain {
    return this.#read(() => uncertainOfKey(this.#database, localKeyId, since));
  }

  /**
   * Returns the cost charged to an upstream's account since the start of this day, in billionths of a US dollar.
   * @throws {LedgerError}
   */
  spentSince(upstream: string, day: string): number {
    return this.#read(() => spentSince(this.#database, upstream, day));
  }

  /** In milliseconds since the epoch. Undefined if the ledger has no exchange of the key. */
  lastUseOf(localKeyId: string): number | undefined {
    return this.#read(() => lastUseOfKey(this.#database, localKeyId));
  }

  /**
   * The period of the report begins with the first request of all.
   * @throws {LedgerError}
   */
  usage(scope: UsageScope, account?: UsageAccount, now = Date.now()): UsageReport {
    return this.#read(() => usageReport(this.#database, fromFirstRequest(this.#database, scope), account, now));
  }

  /** @throws {LedgerError} */
  usageSessions(scope: UsageScope): UsageSessions {
    return this.#read(() => usageSessions(this.#database, fromFirstRequest(this.#database, scope)));
  }

  /** @throws {LedgerError} */
  sessionContext(sessionId: string): SessionContext {
    return this.#read(() => sessionContext(this.#database, { sessionId }));
  }

  /**
   * Returns what the requests of one session, or of all, consisted of.
   * @throws {LedgerError}
   */
  contextReport(sessionId: string | undefined): ContextReport {
    return this.#read(() => contextReport(contextRows(this.#database, sessionId), sessionId ?? null));
  }

  /**
   * Returns what a request consists of. Undefined if it was not measured.
   * @throws {LedgerError}
   */
  requestContext(request: Pick<RequestContextQuestion, 'id' | 'at'>): BilledContext | undefined {
    return this.#read(() => requestContext(this.#database, request));
  }

  /** @throws {LedgerError} */
  usageContext(scope: UsageScope): readonly ContextLine[] {
    return this.#read(() => usageContext(this.#database, scope));
  }

  /** @throws {LedgerError} */
  branchCost(question: Omit<BranchQuestion, 'ledger'>): BranchCost {
    return this.#read(() => branchCost(this.#database, question));
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
