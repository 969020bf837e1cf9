/**
 * The order of messages that services of all formats demand: calls of one turn in one message, their results directly
 * after it, and a result for each call. Clients of other formats, and those that were interrupted, write other orders.
 */
import type { AssistantMessage, Message, TextPart, ToolResultPart, UserMessage } from './conversation.ts';

const NO_RESULT: readonly TextPart[] = [{ type: 'text', text: 'The call was interrupted and has no result.' }];

/** Returns the messages in that order. Those that are in it already are returned as they are. */
export function inOrder(messages: readonly Message[]): readonly Message[] {
  return isInOrder(messages) ? messages : withResults(withJoinedCalls(messages));
}

function isInOrder(messages: readonly Message[]): boolean {
  for (const [at, message] of messages.entries()) {
    const next = messages[at + 1];
    if (message.role === 'tool' && messages[at - 1]?.role !== 'assistant') return false;
    if (message.role !== 'assistant') continue;
    const calls = callsOf(message);
    const results = next?.role === 'tool' ? next.parts : [];
    // The calls at the end are for the client that sends them back.
    if (next === undefined && calls.length > 0) continue;
    if (calls.length !== results.length || results.some(({ toolCallId }) => !calls.includes(toolCallId))) return false;
  }
  return true;
}

function callsOf({ parts }: AssistantMessage): string[] {
  return parts.flatMap((part) => (part.type === 'toolCall' ? [part.id] : []));
}

/** Joins neighbors with calls, whose results would otherwise be separated from them by the second one. */
function withJoinedCalls(messages: readonly Message[]): readonly Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const isSecond = message.role === 'assistant' && last?.role === 'assistant';
    if (isSecond && callsOf(last).length > 0 && callsOf(message).length > 0) {
      joined[joined.length - 1] = { role: 'assistant', parts: [...last.parts, ...message.parts] };
    } else joined.push(message);
  }
  return joined;
}

/** Moves results to their calls, adds those that are missing, and makes those of unknown calls a text of the user. */
function withResults(messages: readonly Message[]): Message[] {
  const waiting = resultsByCall(messages);
  const ordered: Message[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      const orphans = message.parts.filter((result) => waiting.orphans.has(result));
      if (orphans.length > 0) ordered.push(asUser(orphans));
      continue;
    }
    ordered.push(message);
    if (message.role !== 'assistant' || at === messages.length - 1) continue;
    const parts = callsOf(message).map((id): ToolResultPart => waiting.take(id) ?? missing(id));
    if (parts.length > 0) ordered.push({ role: 'tool', parts });
  }
  return ordered;
}

interface Waiting {
  /** Results whose call is not before them. */
  readonly orphans: ReadonlySet<ToolResultPart>;
  /** Returns the next result for a call with this ID. */
  take(id: string): ToolResultPart | undefined;
}

function resultsByCall(messages: readonly Message[]): Waiting {
  const open = new Map<string, number>();
  const results = new Map<string, ToolResultPart[]>();
  const orphans = new Set<ToolResultPart>();
  for (const message of messages) {
    if (message.role === 'assistant') for (const id of callsOf(message)) open.set(id, (open.get(id) ?? 0) + 1);
    if (message.role !== 'tool') continue;
    for (const result of message.parts) {
      const { toolCallId: id } = result;
      const left = open.get(id) ?? 0;
      if (left === 0) orphans.add(result);
      else results.set(id, [...(results.get(id) ?? []), result]);
      open.set(id, Math.max(0, left - 1));
    }
  }
  return { orphans, take: (id) => results.get(id)?.shift() };
}

function missing(toolCallId: string): ToolResultPart {
  return { type: 'toolResult', toolCallId, content: NO_RESULT };
}

function asUser(results: readonly ToolResultPart[]): UserMessage {
  const parts = results.flatMap(({ toolCallId, content }) => [
    { type: 'text' as const, text: `From the result of tool call ${toolCallId}:` },
    ...content,
  ]);
  return { role: 'user', parts };
}
