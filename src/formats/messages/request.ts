import { check } from '../check.ts';
import type { ChatRequest, Reasoning, ResponseFormat, TextPart } from '../conversation.ts';
import { asDropped } from '../dropped.ts';
import { defined } from '../json.ts';
import { compact, encodeContents } from './content.ts';
import { droppedFromWire } from './dropped.ts';
import { asStrictSchema } from './outputSchema.ts';
import { decodeMessages, decodeSystem, encodeMessages } from './prompt.ts';
import {
  type CountTokensRequest,
  countTokensRequest,
  isKnownOutputFormat,
  isKnownThinking,
  type MessagesRequest,
  messagesRequest,
} from './schema.ts';
import { encodeThinkingConfig, hasThinking, outputLimit } from './thinkingConfig.ts';
import { decodeTooling, encodeTooling } from './tools.ts';

/** @throws {FormatError} with the name of the invalid field. */
export function decodeRequest(body: unknown): ChatRequest {
  const request = check(messagesRequest, body);
  return defined({
    ...decodePrompt(request),
    maxTokens: request.max_tokens ?? undefined,
    stream: request.stream ?? undefined,
    temperature: request.temperature ?? undefined,
    topP: request.top_p ?? undefined,
    topK: request.top_k ?? undefined,
    stopSequences: request.stop_sequences ?? undefined,
    serviceTier: request.service_tier === 'standard_only' ? 'default' : (request.service_tier ?? undefined),
    userId: request.metadata?.user_id ?? undefined,
    ...asDropped(droppedFromWire(request)),
  });
}

/** @throws {FormatError} with the name of the invalid field. */
export function decodeCountTokensRequest(body: unknown): ChatRequest {
  return decodePrompt(check(countTokensRequest, body));
}

export function encodeRequest(request: ChatRequest): MessagesRequest {
  return defined({
    ...encodeCountTokensRequest(request),
    max_tokens: outputLimit(request),
    stream: request.stream,
    ...encodeSampling(request),
    stop_sequences: visible(request.stopSequences),
    service_tier: encodeServiceTier(request.serviceTier),
    metadata: request.userId === undefined ? undefined : { user_id: request.userId },
  });
}

/** Encodes the members of a request that form its prompt. */
export function encodeCountTokensRequest(request: ChatRequest): CountTokensRequest {
  const system = encodeContents([...request.system, ...asInstruction(request.responseFormat)]).filter(
    (block) => block.type === 'text',
  );
  return defined({
    model: request.model,
    system: system.length > 0 ? compact(system) : undefined,
    messages: encodeMessages(request.messages),
    ...encodeTooling(request),
    thinking: encodeThinkingConfig(request),
    output_config: encodeOutputConfig(request),
  });
}

/** Returns an instruction, because this format has no JSON mode. */
function asInstruction(format: ResponseFormat | undefined): TextPart[] {
  return format !== undefined && isJsonOnly(format)
    ? [{ type: 'text', text: 'Answer with one JSON object and nothing else.' }]
    : [];
}

/** A schema without conditions asks for JSON only, and the services refuse it. */
function isJsonOnly(format: ResponseFormat): boolean {
  return format.type === 'jsonObject' || (format.type === 'jsonSchema' && Object.keys(format.schema).length === 0);
}

function decodePrompt(request: CountTokensRequest): ChatRequest {
  return defined({
    model: request.model,
    system: decodeSystem(request.system),
    messages: decodeMessages(request.messages),
    ...((request.tools || request.tool_choice) && decodeTooling(request)),
    reasoning: decodeReasoning(request),
    responseFormat: decodeResponseFormat(request.output_config?.format ?? request.output_format),
  });
}

/** Decodes reasoning. Disabled thinking takes precedence over the effort, which then applies only to the answer. */
function decodeReasoning({ thinking, output_config }: CountTokensRequest): Reasoning | undefined {
  const effort = output_config?.effort ?? undefined;
  if (!thinking || !isKnownThinking(thinking)) return effort === undefined ? undefined : { effort };
  if (thinking.type === 'disabled') return { effort: 'none' };
  return defined({
    effort,
    budgetTokens: thinking.type === 'enabled' ? thinking.budget_tokens : undefined,
    adaptive: thinking.type === 'adaptive' ? (true as const) : undefined,
    summary: thinking.display === 'summarized' ? 'auto' : undefined,
  });
}

/** Thinking excludes sampling parameters in this format. */
function encodeSampling(request: ChatRequest) {
  if (hasThinking(request)) return {};
  return {
    temperature: request.temperature === undefined ? undefined : Math.min(request.temperature, 1),
    top_p: request.topP,
    top_k: request.topK,
  };
}

/** Encodes the effort, which is at least `low` in this format. */
function encodeEffort(effort: string | undefined): string | undefined {
  if (effort === 'none') return undefined;
  return effort === 'minimal' ? 'low' : effort;
}

type OutputConfig = NonNullable<CountTokensRequest['output_config']>;

function decodeResponseFormat(format: OutputConfig['format']): ResponseFormat | undefined {
  return format && isKnownOutputFormat(format) ? { type: 'jsonSchema', schema: format.schema } : undefined;
}

function encodeOutputConfig({ reasoning, responseFormat }: ChatRequest): OutputConfig | undefined {
  const format =
    responseFormat?.type === 'jsonSchema' && !isJsonOnly(responseFormat)
      ? { type: 'json_schema' as const, schema: asStrictSchema(responseFormat.schema) }
      : undefined;
  const config = defined({ effort: encodeEffort(reasoning?.effort), format });
  return Object.keys(config).length > 0 ? config : undefined;
}

/** Drops stop sequences that consist only of whitespace, because the service rejects them. */
function visible(sequences: readonly string[] | undefined): string[] | undefined {
  const kept = sequences?.filter((sequence) => sequence.trim() !== '');
  return kept !== undefined && kept.length > 0 ? kept : undefined;
}

function encodeServiceTier(tier: string | undefined): string | undefined {
  if (tier === 'default') return 'standard_only';
  return tier === 'auto' ? tier : undefined;
}
