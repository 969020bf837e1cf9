/** The queries that the editor can send to a ledger, independently of where and whether the gateway runs. */

import type { BilledContext } from '../rules/contextPart.ts';
import { type AccountQuestion, type AccountSpend, accountSpend } from './accountSpend.ts';
import type { ContextQuestion, RequestContextQuestion } from './contextQueries.ts';
import type { ContextLine } from './contextSums.ts';
import type { ExchangeNames, ExchangePage, ExchangeQuestion, SessionPage, SessionQuestion } from './exchangeQuery.ts';
import { type KeySpend, readKeySpend, type SpendQuestion } from './keySpend.ts';
import type { LedgerReader } from './ledgerReader.ts';
import type { SessionContext } from './sessionContext.ts';
import type { BranchCost, BranchQuestion, UsageSessions } from './sessionUsage.ts';
import type { UsageLine, UsageQuestion, UsageReport } from './usage.ts';

/** Each query by its name, with its parameters and its result. */
export interface LedgerQuestions {
  readonly keySpend: { readonly asks: SpendQuestion; readonly answer: readonly KeySpend[] };
  readonly accountSpend: { readonly asks: AccountQuestion; readonly answer: AccountSpend };
  readonly usage: { readonly asks: UsageQuestion; readonly answer: UsageReport };
  readonly exchanges: { readonly asks: ExchangeQuestion; readonly answer: ExchangePage };
  readonly sessions: { readonly asks: SessionQuestion; readonly answer: SessionPage };
  readonly exchangeNames: { readonly asks: Pick<ExchangeQuestion, 'ledger'>; readonly answer: ExchangeNames };
  readonly usageSessions: { readonly asks: UsageQuestion; readonly answer: UsageSessions };
  readonly branchCost: { readonly asks: BranchQuestion; readonly answer: BranchCost };
  readonly sessionContext: { readonly asks: ContextQuestion; readonly answer: SessionContext };
  readonly requestContext: { readonly asks: RequestContextQuestion; readonly answer: BilledContext | null };
  readonly usageContext: { readonly asks: UsageQuestion; readonly answer: readonly ContextLine[] };
  readonly usageLines: { readonly asks: UsageQuestion; readonly answer: readonly UsageLine[] };
}

export type LedgerQuestion = {
  readonly [Name in keyof LedgerQuestions]: { readonly name: Name; readonly asks: LedgerQuestions[Name]['asks'] };
}[keyof LedgerQuestions];

export type LedgerAnswer = LedgerQuestions[keyof LedgerQuestions]['answer'];

/** @throws {LedgerError} */
export function answerQuestion(reader: LedgerReader, { name, asks }: LedgerQuestion): LedgerAnswer {
  reader.enterLost();
  switch (name) {
    case 'keySpend':
      return readKeySpend(reader, asks);
    case 'accountSpend':
      return accountSpend(reader, asks);
    case 'usage':
      return reader.usage(asks, asks.account);
    case 'exchanges':
      return reader.exchanges(asks);
    case 'sessions':
      return reader.sessions(asks);
    case 'exchangeNames':
      return reader.exchangeNames();
    case 'usageSessions':
      return reader.usageSessions(asks);
    case 'branchCost':
      return reader.branchCost(asks);
    case 'sessionContext':
      return reader.sessionContext(asks.sessionId);
    case 'requestContext':
      return reader.requestContext(asks) ?? null;
    case 'usageContext':
      return reader.usageContext(asks);
    case 'usageLines':
      return reader.usageLines(asks);
  }
}
