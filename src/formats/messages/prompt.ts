/** Decodes and encodes the prompt of a request: the system prompt and the messages. */
import type { AssistantPart, Message, TextPart, ToolMessage, UserPart } from '../conversation.ts';
import { readForeignPart } from '../foreignParts.ts';
import { defined } from '../json.ts';
import { inOrder, joinTurns, type TurnRules } from '../orderedTurns.ts';
import { encodeCitedText } from './citations.ts';
import {
  compact,
  decodeCacheHint,
  decodeContent,
  decodeText,
  decodeToolResult,
  encodeCacheHint,
  encodeContents,
  encodeToolResult,
  toolUseId,
} from './content.ts';
import {
  type CountTokensRequest,
  isKnownRequestBlock,
  type KnownRequestBlock,
  type MessagesWireMessage,
  type RequestBlock,
} from './schema.ts';
import { decodeThinking, encodeOwnThinking } from './thinking.ts';
import { decodeInput, encodeInput } from './tools.ts';

type System = CountTokensRequest['system'];

const SUMMARIZED = 'This is a summary of the conversation so far:';

/** A coding agent's line for its own service. It differs in each request, so that no prefix would be cached. */
export const BILLING_NOTE = 'x-anthropic-billing-header';
const NOTE_LINE = new RegExp(`^\\s*${BILLING_NOTE}:[^\\n]*\\n*`);

export function decodeSystem(system: System): TextPart[] {
  const parts = decodeText(system ?? []);
  if (!hasBillingNote(system)) return parts;
  return parts.flatMap((part) => {
    const text = part.text.replace(NOTE_LINE, '');
    return text === '' ? [] : [{ ...part, text }];
  });
}

export function hasBillingNote(system: System): boolean {
  const texts = typeof system === 'string' ? [system] : (system ?? []).map(({ text }) => text);
  return texts.some((text) => NOTE_LINE.test(text));
}

/** Results are separate messages in the neutral form; adjacent ones are joined. */
export function decodeMessages(messages: readonly MessagesWireMessage[]): Message[] {
  // A loop instead of callbacks, because each translated request passes here.
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const { role, content } = messages[at] as MessagesWireMessage;
    if (role === 'assistant' && typeof content === 'object' && content?.some(isSummary))
      return decodeSummarized(messages.slice(at));
  }
  return joinTurns(messages.flatMap(decodeMessage), (role) => role === 'tool');
}

function isSummary(block: RequestBlock): boolean {
  return isKnownRequestBlock(block) && block.type === 'compaction' && Boolean(block.content?.trim());
}

/**
 * Decodes a conversation from the last summary on, which replaces everything before it.
 * @param messages that with the summary, and those after it.
 */
function decodeSummarized([first, ...rest]: readonly MessagesWireMessage[]): Message[] {
  const blocks = blocksOf(first?.content);
  const at = blocks.findLastIndex(isSummary);
  const text = String(blocks[at]?.content);
  const after: MessagesWireMessage = { role: 'assistant', content: blocks.slice(at + 1) };
  const summary: Message = { role: 'user', parts: [{ type: 'text', text: `${SUMMARIZED}\n\n${text}` }] };
  return joinTurns([summary, ...[after, ...rest].flatMap(decodeMessage)], (role) => role === 'tool');
}

function decodeMessage({ role, content }: MessagesWireMessage): Message[] {
  const all = blocksOf(content);
  const blocks = all.filter(isKnownRequestBlock);
  switch (role) {
    case 'assistant':
      return [
        {
          role,
          parts: all.flatMap((block) => (isKnownRequestBlock(block) ? decodeAssistantBlock(block) : textIn(block))),
        },
      ];
    case 'system':
      return [{ role, parts: decodeText(blocks.filter((block) => block.type === 'text')) }];
    case 'user': {
      const results = blocks.filter((block) => block.type === 'tool_result').map(decodeToolResult);
      const rest = all.flatMap((block) =>
        isKnownRequestBlock(block) ? decodeUserBlock(block) : readForeignPart(block),
      );
      if (results.length === 0) return [{ role, parts: rest }];
      const tool: ToolMessage = { role: 'tool', parts: results };
      return rest.length === 0 ? [tool] : [tool, { role, parts: rest }];
    }
  }
}

function textIn(block: RequestBlock): TextPart[] {
  return readForeignPart(block).filter((part) => part.type === 'text');
}

function blocksOf(content: MessagesWireMessage['content']): RequestBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
}

/** Drops blocks that users cannot send, except results. */
function decodeUserBlock(block: KnownRequestBlock): UserPart[] {
  switch (block.type) {
    case 'text':
    case 'image':
    case 'document':
    case 'search_result':
      return decodeContent(block);
    default:
      return [];
  }
}

function decodeAssistantBlock(block: KnownRequestBlock): AssistantPart[] {
  switch (block.type) {
    case 'text':
      return decodeText([block]);
    case 'thinking':
    case 'redacted_thinking':
      return decodeThinking(block);
    case 'tool_use': {
      const { id, name, input } = block;
      const cacheHint = decodeCacheHint(block.cache_control);
      return [defined({ type: 'toolCall' as const, id, name, arguments: decodeInput(input), cacheHint })];
    }
    default:
      return [];
  }
}

export const TURNS: TurnRules = {
  refusesBlankText: true,
  endsWithReasoning: false,
  startsWithUser: true,
  maxIdLength: 64,
  notInIds: /[^\w-]/,
};

/** Drops empty messages and blanks at the end of a prefilled answer, because the service rejects them. */
export function encodeMessages(messages: readonly Message[]): MessagesWireMessage[] {
  const encoded = turns(inOrder(messages, TURNS))
    .flatMap((turn) => encodeTurn(turn))
    .filter(({ content }) => content.length > 0);
  return withoutFinalBlanks(encoded).map(({ role, content }) => ({ role, content: compact(content) }));
}

function withoutFinalBlanks(messages: readonly Encoded[]): readonly Encoded[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text' || typeof block.text !== 'string') return messages;
  const content = [...last.content.slice(0, -1), { ...block, text: block.text.trimEnd() }];
  return [...messages.slice(0, -1), { ...last, content }];
}

/** Groups messages into turns: each answer is a turn of its own, and everything between two answers is one turn. */
function turns(messages: readonly Message[]): Message[][] {
  const found: Message[][] = [];
  for (const message of messages) {
    const last = found.at(-1);
    if (last === undefined || message.role === 'assistant' || last[0]?.role === 'assistant') found.push([message]);
    else last.push(message);
  }
  return found;
}

interface Encoded {
  readonly role: MessagesWireMessage['role'];
  readonly content: RequestBlock[];
}

/** Encodes a turn, with all results at the beginning of the message that follows their calls. */
function encodeTurn(turn: readonly Message[]): Encoded[] {
  const results = turn.flatMap((message) => (message.role === 'tool' ? message.parts.map(encodeToolResult) : []));
  const [first, ...rest] = turn.filter((message) => message.role !== 'tool').map(encodeMessage);
  if (results.length === 0) return first === undefined ? [] : [first, ...rest];
  if (first?.role === 'user') return [{ role: 'user', content: [...results, ...first.content] }, ...rest];
  return [{ role: 'user', content: results }, ...(first === undefined ? [] : [first]), ...rest];
}

function encodeMessage(message: Exclude<Message, ToolMessage>): Encoded {
  if (message.role === 'assistant') return { role: message.role, content: message.parts.flatMap(encodeAssistantPart) };
  return { role: message.role, content: encodeContents(message.parts) };
}

function encodeAssistantPart(part: AssistantPart): RequestBlock[] {
  switch (part.type) {
    case 'text':
      return part.citations === undefined ? encodeContents([part]) : encodeCitedText(part);
    case 'refusal':
      return encodeContents([{ type: 'text', text: part.text }]);
    case 'reasoning':
      return encodeOwnThinking(part);
    case 'toolCall': {
      const cache_control = encodeCacheHint(part.cacheHint);
      const call = { type: 'tool_use' as const, id: toolUseId(part.id), name: part.name, input: encodeInput(part) };
      return [defined({ ...call, cache_control })];
    }
    case 'image':
      return [];
  }
}
