/** What the chat-completions format and the neutral form cannot tell each other in a request. */
import type { ChatRequest, ChatResponse } from '../conversation.ts';
import {
  CITATIONS,
  hasCacheHints,
  hasCitedOthers,
  hasFailedResults,
  namesOf,
  namesWhere,
  otherMembers,
  otherTypes,
} from '../losses.ts';
import { isKnownPart } from './contentSchema.ts';
import { type ChatCompletionsRequest, reasoningOptions, requestSchema } from './schema.ts';

const READ: ReadonlySet<string> = new Set([...Object.keys(requestSchema.shape), 'n']);
const READ_OF_REASONING: ReadonlySet<string> = new Set(Object.keys(reasoningOptions.shape));
const READ_FORMATS: ReadonlySet<string> = new Set(['text', 'json_object', 'json_schema']);

/** Roles whose name is that of the tool, which the call has told. */
const OF_TOOLS: ReadonlySet<string> = new Set(['function', 'tool']);

/** What the neutral form has no place for. One choice is what there is anyway. */
export function unread(wire: ChatCompletionsRequest): string[] {
  const { messages, response_format: format } = wire;
  const contents = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const isNamed = messages.some(({ role, name }) => !OF_TOOLS.has(role) && typeof name === 'string');
  return [
    ...otherMembers(wire, READ),
    ...otherTypes(contents, isKnownPart),
    ...otherMembers(wire.reasoning ?? {}, READ_OF_REASONING).map((name) => `reasoning.${name}`),
    ...namesWhere({
      n: typeof wire.n === 'number' && wire.n > 1,
      name: isNamed,
      annotations: messages.some((message) => message.role === 'assistant' && (message.annotations ?? []).length > 0),
      response_format: format !== null && format !== undefined && !READ_FORMATS.has(format.type),
    }),
  ];
}

/** What this format has no place for, or what strict services of it refuse. */
export function unwritten(request: ChatRequest): string[] {
  const { reasoning, truncation } = request;
  const isUntold = reasoning?.effort === undefined && reasoning?.budgetTokens === undefined;
  return [
    ...namesOf(request, ['topK']),
    ...namesWhere({
      cache_control: hasCacheHints(request),
      is_error: hasFailedResults(request),
      thinking: reasoning?.adaptive === true && isUntold,
      truncation: truncation !== undefined && truncation !== 'disabled',
    }),
  ];
}

/** What this format has no place for in an answer. */
export function unwrittenAnswer(response: ChatResponse, request: ChatRequest): string[] {
  const calls = response.parts.filter(({ type }) => type === 'toolCall');
  return namesWhere({
    [CITATIONS]: hasCitedOthers(response),
    [TOOL_CALLS]: request.olderCalls === true && calls.length > 1,
  });
}

/** The name of calls beyond the first, for clients that know one an answer. */
export const TOOL_CALLS = 'tool_calls';
