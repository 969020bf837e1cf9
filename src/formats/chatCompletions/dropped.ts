/** What is dropped between the chat-completions format and the neutral form in a request. */

import type { ChatResponse } from '../answer.ts';
import type { ChatRequest } from '../conversation.ts';
import {
  CITATIONS,
  hasCacheHints,
  hasCitedOthers,
  hasFailedResults,
  namesOf,
  namesWhere,
  otherMembers,
  otherMembersOf,
  otherTypes,
} from '../dropped.ts';
import { isForeignPart } from '../foreignParts.ts';
import { isOtherAtTop } from '../objectSchema.ts';
import { assistantFields, type CallOfSomeType, isKnownPart, isOtherCall, type WirePart } from './contentSchema.ts';
import { type ChatCompletionsRequest, reasoningOptions, requestSchema } from './schema.ts';

const READ: ReadonlySet<string> = new Set([...Object.keys(requestSchema.shape), 'n']);
/** Names, annotations, and audio have rules of their own. */
const READ_OF_MESSAGE: ReadonlySet<string> = new Set([
  ...Object.keys(assistantFields),
  ...['role', 'content', 'name', 'tool_call_id', 'annotations', 'cache_control'],
]);
const READ_OF_REASONING: ReadonlySet<string> = new Set(Object.keys(reasoningOptions.shape));
const READ_FORMATS: ReadonlySet<string> = new Set(['text', 'json_object', 'json_schema']);

function isReadPart(part: WirePart): boolean {
  return isKnownPart(part) || isForeignPart(part);
}

/**
 * Returns the types of parts of users and tools that are in no known form. Without them, the model would answer another
 * question.
 */
export function unreadParts({ messages }: ChatCompletionsRequest): string[] {
  const asked = messages.filter(({ role }) => role !== 'assistant');
  return otherTypes(
    asked.flatMap(({ content }) => (Array.isArray(content) ? content : [])),
    isReadPart,
  );
}

/** Roles whose `name` is the name of the tool, which is known from the call. */
const OF_TOOLS: ReadonlySet<string> = new Set(['function', 'tool']);

/** Returns the names of members that the neutral form does not support. `n: 1` is the default and not reported. */
export function droppedFromWire(wire: ChatCompletionsRequest): string[] {
  const { messages, response_format: format } = wire;
  const contents = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const isNamed = messages.some(({ role, name }) => !OF_TOOLS.has(role) && typeof name === 'string');
  return [
    ...otherMembers(wire, READ),
    ...otherTypes(contents, isReadPart),
    ...otherMembersOf(messages, READ_OF_MESSAGE),
    ...messages.flatMap((message) => (message.role === 'assistant' ? otherCalls(message.tool_calls) : [])),
    ...otherMembers(wire.reasoning ?? {}, READ_OF_REASONING).map((name) => `reasoning.${name}`),
    ...namesWhere({
      n: typeof wire.n === 'number' && wire.n > 1,
      name: isNamed,
      annotations: messages.some((message) => message.role === 'assistant' && (message.annotations ?? []).length > 0),
      response_format: format !== null && format !== undefined && !READ_FORMATS.has(format.type),
    }),
  ];
}

/** Returns the types of calls that this form of the format does not have. */
export function otherCalls(calls: readonly CallOfSomeType[] | null | undefined): string[] {
  return (calls ?? []).filter(isOtherCall).map(({ type }) => type);
}

/** Returns the names of members that this format does not support or that its strict services reject. */
export function droppedFromRequest(request: ChatRequest): string[] {
  const { reasoning, tools = [], truncation } = request;
  const isUnset = reasoning?.effort === undefined && reasoning?.budgetTokens === undefined;
  return [
    ...namesOf(request, ['topK']),
    ...namesWhere({
      cache_control: hasCacheHints(request),
      is_error: hasFailedResults(request),
      thinking: reasoning?.adaptive === true && isUnset,
      truncation: truncation !== undefined && truncation !== 'disabled',
      parameters: tools.some(({ parameters }) => parameters !== undefined && isOtherAtTop(parameters)),
    }),
  ];
}

/** Returns the names of an answer's members that this format does not support. */
export function droppedFromAnswer(response: ChatResponse, request: ChatRequest): string[] {
  const calls = response.parts.filter(({ type }) => type === 'toolCall');
  return namesWhere({
    [CITATIONS]: hasCitedOthers(response),
    [TOOL_CALLS]: request.olderCalls === true && calls.length > 1,
  });
}

/** The name reported for calls beyond the first, for clients that support one per answer. */
export const TOOL_CALLS = 'tool_calls';
