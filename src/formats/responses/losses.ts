/** What the responses format and the neutral form cannot tell each other in a request. */
import type { ChatRequest } from '../conversation.ts';
import { hasFailedResults, namesOf, namesWhere, otherMembers, otherTypes, somePart } from '../losses.ts';
import { type InputItem, isKnownInputItem, isKnownPart, type ResponsesRequest, requestSchema } from './schema.ts';
import { isHostedSearchItem } from './toolSearch.ts';

/** The padding of streams, and notes of the client for the service's own records: nobody misses them in an answer. */
const NOT_MISSED = ['stream_options', 'client_metadata'];
const READ: ReadonlySet<string> = new Set([...Object.keys(requestSchema.shape), ...NOT_MISSED]);
const READ_OF_REASONING: ReadonlySet<string> = new Set(['effort', 'summary', 'generate_summary']);
/** Sealed reasoning is asked for whenever there is any. */
const ALWAYS_INCLUDED = 'reasoning.encrypted_content';

/** What the neutral form has no place for. */
export function unread(wire: ResponsesRequest): string[] {
  const items = Array.isArray(wire.input) ? wire.input : [];
  return [
    ...otherMembers(wire, READ),
    ...otherTypes(items, isKnownInputItem),
    ...items.flatMap(unreadOfItem),
    ...otherMembers(wire.reasoning ?? {}, READ_OF_REASONING).map((name) => `reasoning.${name}`),
    ...namesWhere({ include: (wire.include ?? []).some((name) => name !== ALWAYS_INCLUDED) }),
  ];
}

function unreadOfItem(item: InputItem): string[] {
  if (!isKnownInputItem(item)) return [];
  if (isHostedSearchItem(item)) return [item.type];
  const content = 'content' in item ? item.content : 'output' in item ? item.output : undefined;
  if (!Array.isArray(content) || item.type === 'reasoning') return [];
  return otherTypes(content as { type: string }[], isKnownPart);
}

/** What this format has no place for. */
export function unwritten(request: ChatRequest): string[] {
  const hintedCalls = somePart(
    request,
    (part) => (part.type === 'toolCall' || part.type === 'toolResult') && part.cacheHint !== undefined,
  );
  return [
    ...namesOf(request, ['topK', 'frequencyPenalty', 'presencePenalty', 'seed', 'stopSequences']),
    ...namesWhere({
      cache_control: hintedCalls || (request.tools ?? []).some((tool) => tool.cacheHint !== undefined),
      is_error: hasFailedResults(request),
    }),
  ];
}
