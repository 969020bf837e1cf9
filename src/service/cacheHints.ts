import type { CacheHint, ChatRequest, Message, TextPart, UserPart } from '../formats/conversation.ts';

/** Marks the end of a prefix that the service caches for a few minutes. */
const HINT: CacheHint = {};

/** The last turn, and the one before it, which the service already has in its cache. */
const HINTED_TURNS = 2;

/**
 * Returns the request with cache hints, which the messages format requires: on the last tool, the last system prompt,
 * and the last two turns of the user or of tools. Nothing else changes, so that the conversation's next request begins
 * with the same bytes. A request that already has hints is returned unchanged.
 */
export function withCacheHints(request: ChatRequest): ChatRequest {
  if (hasHints(request)) return request;
  const { system, messages, tools } = request;
  const turns = messages.flatMap((message, index) => (isTurn(message) ? [index] : [])).slice(-HINTED_TURNS);
  return {
    ...request,
    system: withLast(system, isHintable, hinted),
    messages: messages.map((message, index) => (turns.includes(index) ? hintedMessage(message) : message)),
    ...(tools !== undefined && { tools: withLast(tools, () => true, hinted) }),
  };
}

function hasHints({ system, messages, tools = [] }: ChatRequest): boolean {
  const parts = [...system, ...tools, ...messages.flatMap((message): readonly object[] => message.parts)];
  return parts.some((part) => 'cacheHint' in part && part.cacheHint !== undefined);
}

function isTurn({ role }: Message): boolean {
  return role === 'user' || role === 'tool';
}

function hintedMessage(message: Message): Message {
  if (message.role === 'user') return { ...message, parts: withLast(message.parts, isHintable, hinted) };
  if (message.role === 'tool') return { ...message, parts: withLast(message.parts, () => true, hinted) };
  return message;
}

/** Services reject a hint on an empty text. */
function isHintable(part: TextPart | UserPart): boolean {
  return part.type !== 'text' || part.text !== '';
}

function hinted<Part>(part: Part): Part & { cacheHint: CacheHint } {
  return { ...part, cacheHint: HINT };
}

function withLast<Item>(items: readonly Item[], fits: (item: Item) => boolean, change: (item: Item) => Item): Item[] {
  const last = items.findLastIndex(fits);
  return items.map((item, index) => (index === last ? change(item) : item));
}
