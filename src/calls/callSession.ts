import { createHash } from 'node:crypto';
import type { ChatRequest, Message } from '../formats/conversation.ts';
import { defined } from '../formats/json.ts';
import type { ClientSession } from '../ledger/sessionHash.ts';
import type { ChatCall } from './chatCall.ts';

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
