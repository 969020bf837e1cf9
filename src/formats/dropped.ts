/** Names what is dropped between a format and the neutral form, so that nothing is dropped silently. */

import type { ChatResponse } from './answer.ts';
import { citedPage } from './citation.ts';
import type { ChatRequest, Message } from './conversation.ts';

/** Returns the names, each once, for {@link ChatRequest.dropped}, or no member if there are none. */
export function asDropped(names: readonly string[]): Pick<ChatRequest, 'dropped'> {
  return names.length === 0 ? {} : { dropped: [...new Set(names)] };
}

/** The same for {@link ChatRequest.unread}. */
export function asUnread(types: readonly string[]): Pick<ChatRequest, 'unread'> {
  return types.length === 0 ? {} : { unread: types };
}

/** Returns the names of members that have a value and are not read. */
export function otherMembers(wire: object, read: ReadonlySet<string>): string[] {
  return otherMembersOf([wire], read);
}

/** The same for several objects, each name once for each of them. */
export function otherMembersOf(wires: readonly object[], read: ReadonlySet<string>): string[] {
  const names: string[] = [];
  for (const wire of wires) {
    for (const [name, value] of Object.entries(wire)) if (!read.has(name) && !isEmpty(value)) names.push(name);
  }
  return names;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);
}

/** Returns the unknown types of parts, items, or blocks. */
export function otherTypes<Part extends { readonly type?: string | undefined }>(
  parts: readonly Part[],
  isKnown: (part: Part) => boolean,
): string[] {
  return parts.flatMap((part) => (isKnown(part) || part.type === undefined ? [] : [part.type]));
}

/** Members of a request, with the names that most formats use. */
const WIRE_NAMES = {
  topK: 'top_k',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  seed: 'seed',
  stopSequences: 'stop',
  verbosity: 'verbosity',
  metadata: 'metadata',
  promptCacheKey: 'prompt_cache_key',
} as const satisfies Partial<Record<keyof ChatRequest, string>>;

type WireMember = keyof typeof WIRE_NAMES;

/** Values that are equal to the default. */
const AS_ABSENT: Partial<Record<WireMember, unknown>> = { frequencyPenalty: 0, presencePenalty: 0 };

export function namesOf(request: ChatRequest, members: readonly WireMember[]): string[] {
  const isMissed = (member: WireMember) => isPresent(request[member]) && request[member] !== AS_ABSENT[member];
  return members.filter(isMissed).map((member) => WIRE_NAMES[member]);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0);
}

export function namesWhere(dropped: Readonly<Record<string, boolean>>): string[] {
  const names: string[] = [];
  for (const name in dropped) if (dropped[name]) names.push(name);
  return names;
}

export function somePart({ messages }: ChatRequest, is: (part: Message['parts'][number]) => boolean): boolean {
  return messages.some(({ parts }) => parts.some(is));
}

export function hasCacheHints(request: ChatRequest): boolean {
  const { system, tools = [] } = request;
  const isHinted = (part: { readonly cacheHint?: object }) => part.cacheHint !== undefined;
  return system.some(isHinted) || tools.some(isHinted) || somePart(request, (part) => 'cacheHint' in part);
}

export function hasFailedResults(request: ChatRequest): boolean {
  return somePart(request, (part) => part.type === 'toolResult' && part.isError === true);
}

/** The name reported for citations that the other format does not support. */
export const CITATIONS = 'citations';
export const LOG_PROBS = 'logprobs';
export const IMAGES = 'images';

/** Whether an answer cites anything other than pages. */
export function hasCitedOthers({ parts }: ChatResponse): boolean {
  return parts.some((part) => part.type === 'text' && part.citations?.some((cited) => citedPage(cited) === undefined));
}

export function hasImages({ parts }: ChatResponse): boolean {
  return parts.some(({ type }) => type === 'image');
}

/** Whether an answer has images that are only known by their addresses. */
export function hasLinkedImages({ parts }: ChatResponse): boolean {
  return parts.some((part) => part.type === 'image' && part.source.kind !== 'base64');
}

export function hasLogProbs({ parts }: ChatResponse): boolean {
  return parts.some((part) => part.type === 'text' && part.logProbs !== undefined);
}
