import { check } from '../check.ts';
import type { ChatRequest, Reasoning, ResponseFormat, TextPart } from '../conversation.ts';
import { asDropped, asUnread } from '../dropped.ts';
import { defined } from '../json.ts';
import { decodeResponseFormat } from '../responseFormat.ts';
import { droppedFromWire, INCLUDED_LOG_PROBS, unreadParts } from './dropped.ts';
import { decodeItems, encodeItems, encodeMessage } from './items.ts';
import { type InputItem, type ResponsesRequest, requestSchema } from './schema.ts';
import { decodeToolChoice, decodeTools, encodeToolChoice, encodeTools } from './tools.ts';

/** Services with this format reject a lower limit of the output, in tokens. */
const MIN_OUTPUT = 16;
/** Services with this format reject longer IDs. */
const MAX_USER_ID_LENGTH = 64;
/** The name is required in this format. */
const UNNAMED_SCHEMA = 'response';

/** @throws {FormatError} with the name of the invalid field. */
export function decodeRequest(body: unknown): ChatRequest {
  const wire = check(requestSchema, body);
  const { system, messages, tools } = decodeItems(inputItems(wire.input));
  const instructions: TextPart[] = wire.instructions ? [{ type: 'text', text: wire.instructions }] : [];
  return {
    model: wire.model,
    system: [...instructions, ...system],
    messages,
    ...decodeTools(wire.tools ?? [], tools),
    ...decodeOptions(wire),
    ...asDropped(droppedFromWire(wire)),
    ...asUnread(unreadParts(wire)),
  };
}

function inputItems(input: ResponsesRequest['input']): InputItem[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? []);
}

type EncodingOptions = Omit<ChatRequest, 'model' | 'system' | 'messages' | 'tools' | 'hostedTools'>;

function decodeOptions(wire: ResponsesRequest): EncodingOptions {
  return defined({
    toolChoice: wire.tool_choice ? decodeToolChoice(wire.tool_choice) : undefined,
    parallelToolCalls: wire.parallel_tool_calls ?? undefined,
    maxTokens: wire.max_output_tokens ?? undefined,
    temperature: wire.temperature ?? undefined,
    topP: wire.top_p ?? undefined,
    reasoning: decodeReasoningOptions(wire.reasoning),
    responseFormat: decodeResponseFormat(wire.text?.format),
    verbosity: wire.text?.verbosity ?? undefined,
    serviceTier: wire.service_tier ?? undefined,
    userId: wire.safety_identifier ?? wire.user ?? undefined,
    metadata: wire.metadata ?? undefined,
    stream: wire.stream ?? undefined,
    store: wire.store ?? undefined,
    previousResponseId: wire.previous_response_id ?? undefined,
    promptCacheKey: wire.prompt_cache_key ?? undefined,
    truncation: wire.truncation ?? undefined,
    logProbs: decodeLogProbsAsked(wire),
  });
}

function decodeLogProbsAsked({ include, top_logprobs: top }: ResponsesRequest): ChatRequest['logProbs'] {
  return include?.includes(INCLUDED_LOG_PROBS) || top ? { top: top ?? 0 } : undefined;
}

function decodeReasoningOptions(wire: ResponsesRequest['reasoning']): Reasoning | undefined {
  const options = defined({
    effort: wire?.effort ?? undefined,
    summary: wire?.summary ?? wire?.generate_summary ?? undefined,
  });
  return Object.keys(options).length === 0 ? undefined : options;
}

export type WireTextFormat = NonNullable<NonNullable<ResponsesRequest['text']>['format']>;

export function encodeRequest(request: ChatRequest): ResponsesRequest {
  const { model, system } = request;
  const instructions = encodeInstructions(system);
  const head = instructions === undefined ? encodeMessage('system', system) : [];
  const input = [...head, ...encodeItems(request.messages)];
  return { model, ...defined({ instructions }), input, ...encodeOptions(request) };
}

/**
 * Encodes one plain system prompt as `instructions`. Several, or one with a cache hint, are a message at the beginning.
 */
export function encodeInstructions(system: readonly TextPart[]): string | undefined {
  const [first, ...others] = system;
  const plain = first?.text && others.length === 0 && first.cacheHint === undefined;
  return plain ? first.text : undefined;
}

export function encodeOptions(request: ChatRequest) {
  const { toolChoice, responseFormat, verbosity, logProbs } = request;
  const tools = encodeTools(request);
  const text = defined({ format: responseFormat && encodeTextFormat(responseFormat), verbosity });
  const include = [...includedReasoning(request.reasoning), ...(logProbs ? [INCLUDED_LOG_PROBS] : [])];
  return defined({
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: toolChoice && encodeToolChoice(toolChoice, request),
    parallel_tool_calls: request.parallelToolCalls,
    max_output_tokens: request.maxTokens && Math.max(MIN_OUTPUT, request.maxTokens),
    temperature: request.temperature,
    top_p: request.topP,
    text: Object.keys(text).length > 0 ? text : undefined,
    reasoning: encodeReasoningOptions(request.reasoning),
    include: include.length > 0 ? include : undefined,
    service_tier: request.serviceTier,
    safety_identifier: request.userId?.slice(0, MAX_USER_ID_LENGTH),
    metadata: request.metadata,
    stream: request.stream,
    store: request.store,
    previous_response_id: request.previousResponseId,
    prompt_cache_key: request.promptCacheKey,
    truncation: request.truncation,
    top_logprobs: logProbs?.top || undefined,
  });
}

function encodeTextFormat(format: ResponseFormat): WireTextFormat {
  switch (format.type) {
    case 'text':
      return { type: 'text' };
    case 'jsonObject':
      return { type: 'json_object' };
    case 'jsonSchema': {
      const { name = UNNAMED_SCHEMA, description, schema, strict } = format;
      return { type: 'json_schema', name, schema, ...defined({ description, strict }) };
    }
  }
}

/** Requests encrypted reasoning, because clients of other formats keep it and nothing is stored for them. */
function includedReasoning(reasoning: Reasoning | undefined): string[] {
  return reasoning === undefined || reasoning.effort === 'none' ? [] : ['reasoning.encrypted_content'];
}

/**
 * Encodes reasoning options. A client that enabled thinking in the messages format expects to see it, so a summary is
 * requested.
 */
function encodeReasoningOptions(reasoning: Reasoning | undefined): { effort?: string; summary?: string } | undefined {
  if (reasoning === undefined) return undefined;
  if (reasoning.effort === 'none') return { effort: 'none' };
  const { budgetTokens, adaptive } = reasoning;
  const effort = reasoning.effort ?? (budgetTokens === undefined ? undefined : effortOf(budgetTokens));
  const summary = reasoning.summary ?? (budgetTokens !== undefined || adaptive ? 'auto' : undefined);
  return defined({ effort, summary });
}

/** Returns the effort with a similar number of tokens, because the format has no budget. */
function effortOf(budgetTokens: number): string {
  if (budgetTokens <= 4096) return 'low';
  return budgetTokens <= 16_384 ? 'medium' : 'high';
}
