/** Cache marks as services of the messages format accept them: at most four, and no longer lifetime after a shorter one. */
import type { CacheHint, ChatRequest, Message, TextPart, Tool } from '../../formats/conversation.ts';

const MAX_MARKS = 4;
const LONG = '1h';
const LIFETIMES: ReadonlySet<string> = new Set(['5m', LONG]);

interface Mark {
  readonly of: 'tool' | 'system' | 'message';
  readonly hint: CacheHint;
}

/** A part or a tool. Some types of parts cannot be marked. */
type Marked = object & { readonly type?: string; readonly cacheHint?: CacheHint };

/** Returns the request itself if its marks are accepted, or if it has none. */
export function withAcceptedCacheMarks(request: ChatRequest): ChatRequest {
  const marks = marksIn(request);
  const decided = decide(marks);
  return decided.every((hint, at) => hint === marks[at]?.hint) ? request : withMarks(request, decided);
}

/** In the order of the prompt. */
function marksIn({ tools = [], system, messages }: ChatRequest): readonly Mark[] {
  const marks: Mark[] = [];
  const collect = (of: Mark['of'], marked: readonly Marked[]): void => {
    for (const each of marked) {
      if ('content' in each && Array.isArray(each.content)) collect(of, each.content);
      if (each.cacheHint !== undefined) marks.push({ of, hint: each.cacheHint });
    }
  };
  collect('tool', tools);
  collect('system', system);
  for (const { parts } of messages) collect('message', parts);
  return marks;
}

/** Returns what becomes of each mark. Those at the ends of the conversation, the system prompt, and the tools count most. */
function decide(marks: readonly Mark[]): readonly (CacheHint | undefined)[] {
  const last = (of: Mark['of']) => marks.findLastIndex((mark) => mark.of === of);
  const others = marks.map((_, at) => at).reverse();
  const order = [last('message'), last('system'), last('tool'), ...others].filter((at) => at >= 0);
  const kept = new Set([...new Set(order)].slice(0, MAX_MARKS));
  let isShort = false;
  return marks.map(({ hint }, at) => {
    if (!kept.has(at)) return undefined;
    const isLong = hint.ttl !== undefined && hint.ttl !== '5m';
    if (isLong && !isShort) return hint.ttl === LONG ? hint : { ttl: LONG };
    isShort = true;
    return isLong || (hint.ttl !== undefined && !LIFETIMES.has(hint.ttl)) ? {} : hint;
  });
}

/** @param decided what becomes of each mark, in the order of {@link marksIn}. */
function withMarks(request: ChatRequest, decided: readonly (CacheHint | undefined)[]): ChatRequest {
  let at = 0;
  const place = <Each extends Marked>(marked: Each): Each => {
    const content = 'content' in marked && Array.isArray(marked.content) ? marked.content.map(place) : undefined;
    const { cacheHint, ...rest } = marked;
    const hint = cacheHint === undefined ? undefined : decided[at++];
    return { ...rest, ...(content && { content }), ...(hint !== undefined && { cacheHint: hint }) } as Each;
  };
  const { tools, system, messages } = request;
  const placed = {
    ...(tools !== undefined && { tools: tools.map((tool): Tool => place(tool)) }),
    system: system.map((part): TextPart => place(part)),
    messages: messages.map((message): Message => placedIn(message, place)),
  };
  return { ...request, ...placed };
}

function placedIn(message: Message, place: <Each extends Marked>(part: Each) => Each): Message {
  switch (message.role) {
    case 'system':
      return { ...message, parts: message.parts.map(place) };
    case 'user':
      return { ...message, parts: message.parts.map(place) };
    case 'assistant':
      return { ...message, parts: message.parts.map(place) };
    case 'tool':
      return { ...message, parts: message.parts.map(place) };
  }
}
