import type { ChatRequest, FormatName } from '../formats/conversation.ts';
import type { LedgerEntry } from '../ledger/ledgerEntry.ts';
import type { ApiClient } from '../service/apiClient.ts';
import type { CallOptions } from '../service/transport.ts';
import type { CallTimes } from './callTimes.ts';
import type { CallUsage } from './callUsage.ts';

/** The measurements of a call. A caller that needs them creates them; the ledger gets the same ones. */
export interface CallMeasures {
  readonly times: CallTimes;
  readonly usage: CallUsage;
}

/** A request to the service or the sandbox that does not go through the gateway. */
export interface ChatCall extends Partial<CallMeasures> {
  /** The ID of the row in the ledger. A new one is created if it is undefined. */
  readonly id?: string;
  readonly client: ApiClient;
  /** The upstream, named as in the gateway. */
  readonly upstream: 'hosted' | 'sandbox';
  readonly format: FormatName;
  readonly request: ChatRequest;
  /** The part of the editor that sends the request. */
  readonly source: Exclude<LedgerEntry['source'], 'gateway'>;
  /** Set for the chat panel only. */
  readonly conversationId?: string;
  /** The question of the chat panel that is answered. */
  readonly turnId?: string;
  /** The number of the request in its run of the agent, counted from 1. */
  readonly step?: number;
  /** The helper of the agent that sends the request: an agent of the chat's session. */
  readonly helper?: { readonly id: string; readonly role: string };
  readonly options?: CallOptions;
}
