import { check } from '../check.ts';
import type { ChatRequest, Reasoning, ResponseFormat } from '../conversation.ts';
import { asDropped, asUnread } from '../dropped.ts';
import { defined } from '../json.ts';
import { decodeResponseFormat } from '../responseFormat.ts';
import { isSerial } from '../tools.ts';
import { withCallSignature } from './callSignatures.ts';
import { droppedFromWire, unreadParts } from './dropped.ts';
import { decodeMessages, encodeMessages } from './messages.ts';
import { type ChatCompletionsRequest, type ChatWireMessage, requestSchema } from './schema.ts';
import {
  decodeHostedTools,
  decodeToolChoice,
  decodeTools,
  encodeHostedTools,
  encodeTool,
  encodeToolChoice,
  hasOlderTools,
} from './tools.ts';

/** @throws {FormatError} with the name of the invalid field. */
export function decodeRequest(body: unknown): ChatRequest {
  const wire = check(requestSchema, body);
  return {
    model: wire.model,
    ...decodeMessages(wire.messages),
    ...decodeTooling(wire),
    ...decodeSettings(wire),
    ...asDropped(droppedFromWire(wire)),
    ...asUnread(unreadParts(wire)),
  };
}

function decodeTooling(wire: ChatCompletionsRequest) {
  const tools = decodeTools(wire);
  const hostedTools = decodeHostedTools(wire);
  const isOlder = hasOlderTools(wire);
  return defined({
    tools: tools.length > 0 ? tools : undefined,
    hostedTools: hostedTools.length > 0 ? hostedTools : undefined,
    toolChoice: decodeToolChoice(wire),
    parallelToolCalls: isOlder || isSerial(wire.tool_choice) ? false : (wire.parallel_tool_calls ?? undefined),
    olderCalls: isOlder || undefined,
  });
}

function decodeSettings(wire: ChatCompletionsRequest) {
  return defined({
    maxTokens: wire.max_completion_tokens ?? wire.max_tokens ?? undefined,
    temperature: wire.temperature ?? undefined,
    topP: wire.top_p ?? undefined,
    topK: wire.top_k ?? undefined,
    frequencyPenalty: wire.frequency_penalty ?? undefined,
    presencePenalty: wire.presence_penalty ?? undefined,
    seed: wire.seed ?? undefined,
    stopSequences: decodeStop(wire.stop),
    reasoning: decodeReasoningAsked(wire),
    responseFormat: decodeResponseFormat(wire.response_format),
    verbosity: wire.verbosity ?? undefined,
    serviceTier: wire.service_tier ?? undefined,
    userId: wire.user ?? wire.safety_identifier ?? undefined,
    metadata: wire.metadata ?? undefined,
    stream: wire.stream ?? undefined,
    includeUsage: wire.stream_options?.include_usage ?? undefined,
    store: wire.store ?? undefined,
    promptCacheKey: wire.prompt_cache_key ?? undefined,
    logProbs: decodeLogProbsAsked(wire),
  });
}

/** Reads the format's own member, and the member of multi-model services. */
function decodeReasoningAsked({ reasoning_effort, reasoning }: ChatCompletionsRequest): Reasoning | undefined {
  if (reasoning?.enabled === false) return { effort: 'none' };
  const asked = defined({
    effort: reasoning_effort || reasoning?.effort || undefined,
    budgetTokens: reasoning?.max_tokens ?? undefined,
    summary: reasoning?.summary ?? undefined,
  });
  if (Object.keys(asked).length > 0) return asked;
  return reasoning?.enabled ? { adaptive: true } : undefined;
}

function decodeLogProbsAsked({ logprobs, top_logprobs: top }: ChatCompletionsRequest): ChatRequest['logProbs'] {
  if (!logprobs && !top) return undefined;
  return { top: top ?? (typeof logprobs === 'number' ? logprobs : 0) };
}

function decodeStop(stop: ChatCompletionsRequest['stop']): readonly string[] | undefined {
  const sequences = typeof stop === 'string' ? [stop] : (stop ?? []);
  return sequences.length > 0 ? sequences : undefined;
}

export function encodeRequest(request: ChatRequest): ChatCompletionsRequest {
  return {
    model: request.model,
    messages: withCallSignatures(request.model, encodeMessages(request.system, request.messages)),
    ...encodeTooling(request),
    ...encodeSettings(request),
    ...encodeStreaming(request),
  };
}

const IS_GEMINI = /gemini/i;

function withCallSignatures(model: string, messages: ChatWireMessage[]): ChatWireMessage[] {
  return IS_GEMINI.test(model) ? messages.map(withCallSignature) : messages;
}

/** Servers reject a tool choice without tools. */
function encodeTooling({ tools, hostedTools, toolChoice, parallelToolCalls }: ChatRequest) {
  if (tools === undefined && hostedTools === undefined) return {};
  const hosted = encodeHostedTools(hostedTools ?? []);
  const all = [...(tools ?? []).map(encodeTool), ...hosted.tools];
  if (all.length === 0) return defined({ web_search_options: hosted.webSearchOptions });
  return defined({
    tools: all,
    web_search_options: hosted.webSearchOptions,
    tool_choice: toolChoice && encodeToolChoice(toolChoice, tools),
    parallel_tool_calls: parallelToolCalls,
  });
}

/** `max_tokens` is the name in the service's specification, and every server of this format accepts it. */
function encodeSettings(request: ChatRequest) {
  return defined({
    max_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    seed: request.seed,
    stop: request.stopSequences?.length ? [...request.stopSequences] : undefined,
    reasoning_effort: encodeEffort(request.reasoning),
    response_format: request.responseFormat && encodeResponseFormat(request.responseFormat),
    verbosity: request.verbosity,
    service_tier: request.serviceTier,
    user: request.userId?.slice(0, MAX_USER_ID_LENGTH),
    metadata: request.metadata,
    store: request.store,
    prompt_cache_key: request.promptCacheKey,
    ...encodeLogProbsAsked(request.logProbs),
  });
}

/** The maximum budget in tokens for each effort, because this format has no budgets. */
const BUDGETS: readonly (readonly [tokens: number, effort: string])[] = [
  [4096, 'low'],
  [16_384, 'medium'],
];

function encodeEffort(reasoning: Reasoning | undefined): string | undefined {
  if (reasoning?.effort !== undefined) return reasoning.effort;
  const budget = reasoning?.budgetTokens;
  if (budget === undefined) return undefined;
  return BUDGETS.find(([tokens]) => budget <= tokens)?.[1] ?? 'high';
}

function encodeLogProbsAsked(asked: ChatRequest['logProbs']) {
  return asked && { logprobs: true, ...(asked.top > 0 && { top_logprobs: asked.top }) };
}

/** In characters. Longer IDs are rejected, but coding agents send IDs several times as long. */
const MAX_USER_ID_LENGTH = 64;

function encodeResponseFormat(format: ResponseFormat): ChatCompletionsRequest['response_format'] {
  if (format.type === 'text') return { type: 'text' };
  if (format.type === 'jsonObject') return { type: 'json_object' };
  const { name = 'response', description, schema, strict } = format;
  return { type: 'json_schema', json_schema: defined({ name, description, schema, strict }) };
}

/** Requests usage for a stream unless the client declined it, because clients of other formats always get usage. */
function encodeStreaming({ stream, includeUsage }: ChatRequest) {
  if (stream !== true) return defined({ stream });
  return { stream, stream_options: { include_usage: includeUsage ?? true } };
}
