import { createHash } from 'node:crypto';
import type { ChatRequest, FormatName, Message } from '../formats/conversation.ts';
import { defined } from '../formats/json.ts';
import type { LedgerEntry } from '../ledger/ledgerEntry.ts';
import type { ClientSession } from '../ledger/sessionHash.ts';
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

/**
 * The session that a call belongs to. For the chat panel, it is the chat. The editor's own chat does not report
 * extensions which chat a request belongs to, but every request of a chat begins with the same texts. Commands and merges
 * of code have no sessions.
 */
export function callSession(
  call: Pick<ChatCall, 'source' | 'conversationId' | 'turnId' | 'helper' | 'request'>,
): ClientSession | undefined {
  const { source, conversationId: session, turnId: turn, helper, request } = call;
  if (session !== undefined) return { session, ...defined({ turn, agent: helper?.id }) };
  return source === 'nativeChat' ? nativeSession(request) : undefined;
}

function nativeSession({ system, messages }: ChatRequest): ClientSession {
  const first = messages.findIndex(isQuestion);
  const last = messages.findLastIndex(isQuestion);
  return { session: digest([system, messages[first]]), turn: digest([last, messages[last]]) };
}

/** A user's message that contains only images or files also counts as a question. */
function isQuestion({ role }: Message): boolean {
  return role === 'user';
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
