import * as fc from 'fast-check';
import type { ChatResponse } from '../../../../src/formats/answer.ts';
import type { ChatRequest, Reasoning, Tool } from '../../../../src/formats/conversation.ts';
import { defined } from '../../../../src/formats/json.ts';
import { asStrictSchema } from '../../../../src/formats/messages/outputSchema.ts';
import { TURNS } from '../../../../src/formats/messages/prompt.ts';
import { asksThinking, encodeThinkingConfig, hasThinking } from '../../../../src/formats/messages/thinkingConfig.ts';
import { inOrder } from '../../../../src/formats/orderedTurns.ts';
import { asParameters } from '../../../../src/formats/tools.ts';
import type { Usage } from '../../../../src/formats/usage.ts';
import { type Carried, hostedTools, jsonSchema, members } from '../../../support/conversations.ts';

const tenths = fc.integer({ min: 0, max: 10 }).map((value) => value / 10);

const shared: Carried = {
  members: {
    hostedTools: hostedTools('messages', 'web_search_20250305', 'bash_20250124'),
    parallelToolCalls: members.parallelToolCalls,
    maxTokens: members.maxTokens,
    temperature: tenths,
    topP: tenths,
    topK: members.topK,
    stopSequences: members.stopSequences,
    reasoning: fc.oneof(
      fc.record({ effort: fc.constantFrom('none', 'low', 'medium', 'high', 'xhigh', 'max') }),
      fc.record({ budgetTokens: fc.integer({ min: 1024, max: 32_000 }) }),
      fc.record({ adaptive: fc.constant(true as const), effort: fc.constantFrom('low', 'max') }),
      fc.record({ adaptive: fc.constant(true as const), summary: fc.constant('auto') }),
    ),
    responseFormat: fc.record({ type: fc.constant('jsonSchema' as const), schema: jsonSchema }),
    serviceTier: fc.constantFrom('auto', 'default'),
    userId: members.userId,
    stream: members.stream,
  },
  systemMessages: true,
  cacheHints: true,
  images: ['base64', 'url', 'file'],
  imageDetail: false,
  documents: ['base64', 'url', 'file', 'text'],
  documentNames: true,
  resultParts: ['text', 'image', 'document'],
  resultErrors: true,
  reasoning: ['signed', 'encrypted'],
  refusals: false,
  anyPartOrder: true,
  strictTools: true,
  freeFormTools: false,
  namespaces: false,
  itemIds: false,
  toolChoices: ['auto', 'none', 'required', 'tool'],
  finishReasons: ['stop', 'stopSequence', 'length', 'toolCalls', 'refusal', 'pause', 'contextWindow'],
  namedStopSequence: true,
  createdAt: false,
  usage: ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'],
  idPrefix: 'msg_',
};

/** What requests of the messages format support: of reasoning, only that of this format's services. */
export const preservedInRequests = shared;

/** Answers support all reasoning. */
export const preservedInAnswers: Carried = { ...shared, reasoning: ['text', 'signed', 'encrypted', 'both'] };

/**
 * Returns the request as the wire format expresses it: always with a token limit, and permission of parallel calls only
 * with a tool choice.
 */
export function asCarried(asked: ChatRequest, defaultMaxTokens: number): ChatRequest {
  const request = withinRules({ ...asked, messages: inOrder(asked.messages, TURNS) });
  const { parallelToolCalls, toolChoice, ...rest } = request;
  const maxTokens = request.maxTokens ?? defaultMaxTokens + (asked.reasoning?.budgetTokens ?? 0);
  if (toolChoice?.type === 'none') return { ...rest, maxTokens, toolChoice };
  if (toolChoice !== undefined) return { ...request, maxTokens };
  if (parallelToolCalls !== false) return { ...rest, maxTokens };
  return { ...rest, maxTokens, parallelToolCalls, toolChoice: { type: 'auto' } };
}

/** Returns the request without what thinking excludes, with an accepted schema, and without blanks after a prefill. */
function withinRules(request: ChatRequest): ChatRequest {
  const { temperature, topP, topK, reasoning, responseFormat, messages, tools, ...rest } = request;
  const isThinking = hasThinking(request);
  const sampling = isThinking ? {} : defined({ temperature, topP, topK });
  const budget = encodeThinkingConfig(request)?.budget_tokens;
  const { budgetTokens: _, adaptive: __, summary: ___, ...effort } = reasoning ?? {};
  const kept: Reasoning | undefined =
    isThinking || !asksThinking(request) ? reasoning : Object.keys(effort).length > 0 ? effort : undefined;
  const limited = kept?.budgetTokens === undefined ? kept : { ...kept, budgetTokens: Number(budget) };
  const schema = responseFormat?.type === 'jsonSchema' && asStrictSchema(responseFormat.schema);
  const format = schema ? { ...responseFormat, schema } : responseFormat;
  return {
    ...rest,
    messages: trimmed(messages),
    ...sampling,
    ...defined({ reasoning: limited, responseFormat: format, tools: tools?.map(withSchema) }),
  };
}

function withSchema(tool: Tool): Tool {
  const parameters = asParameters(tool.parameters);
  return { ...tool, parameters: tool.strict === true ? asStrictSchema(parameters) : parameters };
}

function trimmed(messages: ChatRequest['messages']): ChatRequest['messages'] {
  const last = messages.at(-1);
  const part = last?.parts.at(-1);
  if (last?.role !== 'assistant' || part?.type !== 'text') return messages;
  const parts = [...last.parts.slice(0, -1), { ...part, text: part.text.trimEnd() }];
  return [...messages.slice(0, -1), { ...last, parts }];
}

/** Returns the answer with cache counts, which the wire format always has. */
export function counted(response: ChatResponse): ChatResponse {
  const usage: Usage | undefined = response.usage && { cachedInputTokens: 0, cacheWriteTokens: 0, ...response.usage };
  return usage === undefined ? response : { ...response, usage };
}
