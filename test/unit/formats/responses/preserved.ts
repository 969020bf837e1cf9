import * as fc from 'fast-check';
import type { ChatEvent, ChatResponse } from '../../../../src/formats/answer.ts';
import type { ChatRequest, Message, Tool, ToolResultPart, UserPart } from '../../../../src/formats/conversation.ts';
import { defined } from '../../../../src/formats/json.ts';
import { inOrder } from '../../../../src/formats/orderedTurns.ts';
import { TURNS } from '../../../../src/formats/responses/items.ts';
import { asParameters } from '../../../../src/formats/tools.ts';
import type { Usage } from '../../../../src/formats/usage.ts';
import { type Carried, hostedTools, jsonSchema, members, word } from '../../../support/conversations.ts';

const named = fc.record({
  type: fc.constant('jsonSchema' as const),
  name: word,
  schema: jsonSchema,
  strict: fc.boolean(),
});

const shared: Carried = {
  members: {
    hostedTools: hostedTools('responses', 'web_search', 'file_search', 'tool_search'),
    parallelToolCalls: members.parallelToolCalls,
    maxTokens: members.maxTokens,
    temperature: members.temperature,
    topP: members.topP,
    reasoning: fc.oneof(
      members.reasoning,
      fc.record({ effort: fc.constantFrom('minimal', 'xhigh'), summary: fc.constantFrom('auto', 'detailed') }),
    ),
    responseFormat: fc.oneof(named, fc.record({ type: fc.constantFrom('text' as const, 'jsonObject' as const) })),
    verbosity: members.verbosity,
    serviceTier: members.serviceTier,
    userId: members.userId,
    metadata: members.metadata,
    stream: members.stream,
    store: members.store,
    previousResponseId: members.previousResponseId,
    promptCacheKey: word,
    logProbs: members.logProbs,
    truncation: fc.constantFrom('auto', 'disabled'),
  },
  systemMessages: true,
  cacheHints: false,
  images: ['base64', 'url', 'file'],
  imageDetail: true,
  documents: ['base64', 'url', 'file'],
  documentNames: true,
  resultParts: ['text', 'image', 'document'],
  resultErrors: false,
  reasoning: ['text', 'encrypted', 'both'],
  refusals: true,
  anyPartOrder: true,
  strictTools: true,
  freeFormTools: true,
  namespaces: true,
  itemIds: true,
  toolChoices: ['auto', 'none', 'required', 'tool', 'allowed'],
  finishReasons: ['stop', 'length', 'toolCalls', 'contentFilter'],
  namedStopSequence: false,
  createdAt: true,
  usage: ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'],
  idPrefix: 'resp_',
};

export const preservedInRequests = shared;

/** Answers also support the messages format's signatures. */
export const preservedInAnswers: Carried = { ...shared, reasoning: ['text', 'signed', 'encrypted', 'both'] };

/** Returns the request as the wire format expresses it, in which some members are required. */
export function asCarried(request: ChatRequest): ChatRequest {
  const { tools } = request;
  const messages = inOrder(request.messages, TURNS).map(spelledMessage);
  const maxTokens = request.maxTokens && Math.max(16, request.maxTokens);
  return { ...request, messages, ...defined({ maxTokens, tools: tools?.map(spelledTool) }) };
}

function spelledTool(tool: Tool): Tool {
  if (tool.freeForm) return tool;
  return { ...tool, parameters: asParameters(tool.parameters), strict: tool.strict ?? false };
}

function spelledMessage(message: Message): Message {
  if (message.role === 'user') return { ...message, parts: message.parts.map(spelledPart) };
  if (message.role === 'tool') return { ...message, parts: message.parts.map(spelledResult) };
  return message;
}

function spelledResult(result: ToolResultPart): ToolResultPart {
  return { ...result, content: result.content.map(spelledPart) };
}

function spelledPart(part: UserPart): UserPart {
  if (part.type === 'image') return { ...part, detail: part.detail ?? 'auto' };
  const nameless = part.type === 'document' && part.source.kind === 'base64' && part.name === undefined;
  return nameless ? { ...part, name: 'document.pdf' } : part;
}

/**
 * Returns the answer with all counts, and with a refusal that follows from its text, because the wire format has no
 * finish reason for it.
 */
export function asAnswered(response: ChatResponse): ChatResponse {
  const said = new Set(response.parts.map(({ type }) => type));
  const refused = response.finishReason === 'stop' && said.has('refusal');
  const none = { cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const usage: Usage | undefined = response.usage && { ...none, ...response.usage };
  return {
    ...response,
    finishReason: refused ? 'refusal' : response.finishReason,
    ...(usage !== undefined && { usage }),
  };
}

/** Returns the answer without the item IDs that the format had to create. */
export function withoutNewIds(decoded: ChatResponse, original: ChatResponse): ChatResponse {
  const parts = decoded.parts.map((part, place) => {
    const before = original.parts[place];
    if (!('itemId' in part) || (before !== undefined && 'itemId' in before)) return part;
    const { itemId: _, ...rest } = part;
    return rest;
  });
  return { ...decoded, parts };
}

/**
 * Returns the stream with the IDs of reasoning in its first delta, because an item of the wire format has its ID from
 * the start.
 */
export function withEarlyIds(events: readonly ChatEvent[]): ChatEvent[] {
  const ids = new Map<number, string>();
  for (const event of events) {
    if (event.type === 'reasoningSeal' && event.itemId !== undefined) ids.set(event.index, event.itemId);
  }
  return events.map((event) => {
    const itemId = event.type === 'reasoningDelta' ? ids.get(event.index) : undefined;
    return itemId === undefined ? event : { ...event, itemId };
  });
}
