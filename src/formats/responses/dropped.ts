/** What is dropped between the responses format and the neutral form in a request. */

import type { ChatResponse } from '../answer.ts';
import type { ChatRequest } from '../conversation.ts';
import {
  CITATIONS,
  hasCitedOthers,
  hasFailedResults,
  hasLinkedImages,
  IMAGES,
  namesOf,
  namesWhere,
  otherMembers,
  otherMembersOf,
  otherTypes,
  somePart,
} from '../dropped.ts';
import { isForeignPart } from '../foreignParts.ts';
import { isOtherAtTop } from '../objectSchema.ts';
import { ANNOTATIONS, droppedFromText } from './annotations.ts';
import { isKnownPart, type ResponsesContent } from './contentSchema.ts';
import {
  type InputItem,
  isKnownInputItem,
  isKnownOutputItem,
  type OutputItem,
  type ResponsesRequest,
  requestSchema,
} from './schema.ts';
import { isHostedSearchItem } from './toolSearch.ts';

/** The member that requests log probabilities. */
export const INCLUDED_LOG_PROBS = 'message.output_text.logprobs';

/** Stream padding, and client notes for the service's records, which do not affect the answer. */
const NOT_MISSED = ['stream_options', 'client_metadata'];
const READ: ReadonlySet<string> = new Set([...Object.keys(requestSchema.shape), ...NOT_MISSED]);
/** The calls of a service's tools name which tool called them, which has an item of its own. */
const NOT_MISSED_OF_ITEM = ['caller'];
/** The names that are read in items of some type. They have no other meaning in items of another type. */
const READ_OF_ITEM: ReadonlySet<string> = new Set([
  ...['type', 'id', 'status', 'role', 'content', 'summary', 'encrypted_content', 'call_id', 'name', 'namespace'],
  ...['arguments', 'input', 'output', 'execution', 'tools'],
  ...NOT_MISSED_OF_ITEM,
]);
/** The same for parts. */
const READ_OF_PART: ReadonlySet<string> = new Set([
  ...['type', 'text', 'annotations', 'logprobs', 'refusal', 'image_url', 'detail', 'prompt_cache_breakpoint'],
  ...['file_id', 'file_data', 'file_url', 'filename'],
]);
const READ_OF_REASONING: ReadonlySet<string> = new Set(['effort', 'summary', 'generate_summary']);
/** Encrypted reasoning is requested whenever the model reasons. */
const READ_OF_INCLUDE: ReadonlySet<string> = new Set(['reasoning.encrypted_content', INCLUDED_LOG_PROBS]);

/** Returns the names of members that the neutral form does not support. */
export function droppedFromWire(wire: ResponsesRequest): string[] {
  const items = Array.isArray(wire.input) ? wire.input : [];
  return [
    ...otherMembers(wire, READ),
    ...otherTypes(items, isKnownInputItem),
    ...items.flatMap(droppedFromItem),
    ...otherMembersOf(items.filter(isKnownInputItem), READ_OF_ITEM),
    ...otherMembers(wire.reasoning ?? {}, READ_OF_REASONING).map((name) => `reasoning.${name}`),
    ...namesWhere({ include: (wire.include ?? []).some((name) => !READ_OF_INCLUDE.has(name)) }),
  ];
}

function droppedFromItem(item: InputItem): string[] {
  if (!isKnownInputItem(item)) return [];
  if (isHostedSearchItem(item)) return [item.type];
  const content = 'content' in item ? item.content : 'output' in item ? item.output : undefined;
  if (!Array.isArray(content) || item.type === 'reasoning') return [];
  const parts = content as ResponsesContent[];
  const cites = parts.some((part) => isKnownPart(part) && part.type === 'output_text' && part.annotations?.length);
  return [
    ...otherTypes(parts, isReadPart),
    ...otherMembersOf(parts.filter(isKnownPart), READ_OF_PART),
    ...(cites ? [ANNOTATIONS] : []),
  ];
}

function isReadPart(part: ResponsesContent): boolean {
  return isKnownPart(part) || isForeignPart(part);
}

/**
 * Returns the types of parts of users and tools that are in no known form. Without them, the model would answer another
 * question.
 */
export function unreadParts({ input }: ResponsesRequest): string[] {
  const items = Array.isArray(input) ? input.filter(isKnownInputItem) : [];
  const parts = items.flatMap((item): ResponsesContent[] => {
    const content = 'output' in item ? item.output : 'role' in item && item.role === 'user' ? item.content : undefined;
    return Array.isArray(content) ? (content as ResponsesContent[]) : [];
  });
  return otherTypes(parts, isReadPart);
}

/** Returns what the neutral form does not support in an item of an answer: the whole item if its type is unknown. */
export function droppedFromOutput(item: OutputItem): string[] {
  if (!isKnownOutputItem(item)) return otherTypes([item], isKnownOutputItem);
  // A drawn image has members about how it was drawn.
  const others = item.type === 'image_generation_call' ? [] : otherMembers(item, READ_OF_ITEM);
  if ((item.type ?? 'message') !== 'message' || !('content' in item) || !Array.isArray(item.content)) return others;
  const parts = item.content as ResponsesContent[];
  const texts = parts.filter(isKnownPart).filter((part) => part.type === 'output_text');
  return [
    ...others,
    ...otherTypes(parts, isKnownPart),
    ...otherMembersOf(parts.filter(isKnownPart), READ_OF_PART),
    ...texts.flatMap(droppedFromText),
  ];
}

/** Returns the names of members that this format does not support. */
export function droppedFromRequest(request: ChatRequest): string[] {
  const hintedCalls = somePart(
    request,
    (part) => (part.type === 'toolCall' || part.type === 'toolResult') && part.cacheHint !== undefined,
  );
  return [
    ...namesOf(request, ['topK', 'frequencyPenalty', 'presencePenalty', 'seed', 'stopSequences']),
    ...namesWhere({
      cache_control: hintedCalls || (request.tools ?? []).some((tool) => tool.cacheHint !== undefined),
      is_error: hasFailedResults(request),
      parameters: (request.tools ?? []).some(({ parameters = {} }) => isOtherAtTop(parameters)),
    }),
  ];
}

/** Returns the names of an answer's members that this format does not support. */
export function droppedFromAnswer(response: ChatResponse): string[] {
  return namesWhere({ [CITATIONS]: hasCitedOthers(response), [IMAGES]: hasLinkedImages(response) });
}
