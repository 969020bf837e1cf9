import type { ChatRequest, FormatName } from '../../formats/conversation.ts';
import type { LedgerEntry } from '../../gateway/core/ledgerEntry.ts';
import type { ApiClient } from '../../service/apiClient.ts';
import type { CallOptions } from '../../service/transport.ts';
import type { CallTimes } from './callTimes.ts';
import type { CallUsage } from './callUsage.ts';

/** What is measured of a call. A caller that wants to know it makes them; they are the ones that the ledger gets. */
export interface CallMeasures {
  readonly times: CallTimes;
  readonly usage: CallUsage;
}

/** A question to the service or the sandbox, past the gateway. */
export interface ChatCall extends Partial<CallMeasures> {
  /** Of the row in the ledger; a new one when absent. */
  readonly id?: string;
  readonly client: ApiClient;
  /** Who answers, as the gateway names its upstreams. */
  readonly upstream: 'hosted' | 'sandbox';
  readonly format: FormatName;
  readonly request: ChatRequest;
  /** Which part of the editor asks. */
  readonly source: Exclude<LedgerEntry['source'], 'gateway'>;
  /** Of the chat panel. */
  readonly conversationId?: string;
  /** Of the chat panel's question that is answered. */
  readonly turnId?: string;
  readonly options?: CallOptions;
}
