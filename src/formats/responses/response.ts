import { type ChatResponse, type FinishReason, responseEvents } from '../answer.ts';
import { type ApiError, endedEarly, FormatError } from '../apiError.ts';
import type { AssistantPart, ChatRequest } from '../conversation.ts';
import { asDropped } from '../dropped.ts';
import { defined, isLongerThan } from '../json.ts';
import { checkAnswer } from '../tolerant.ts';
import type { Usage } from '../usage.ts';
import type { AnswerContext } from '../wireFormat.ts';
import { droppedFromOutput } from './dropped.ts';
import { responseId, UNKNOWN_ID } from './ids.ts';
import { decodeAnswerContent, decodeCall, decodeImage } from './items.ts';
import { Output } from './output.ts';
import { decodeReasoning } from './reasoning.ts';
import { encodeInstructions, encodeOptions, type WireTextFormat } from './request.ts';
import {
  isKnownOutputItem,
  type KnownOutputItem,
  type OutputItem,
  type ResponsesResponse,
  type ResponsesUsage,
  type ResponsesWireTool,
  responseSchema,
  type StreamedResponse,
} from './schema.ts';
import { decodeAnswerUsage, encodeUsage } from './usage.ts';

/** A stream has three copies of each member, in its first two events and in its last one. */
const MAX_REPEATED_LENGTH = 1_000_000;

const ENDED = new Set(['completed', 'incomplete']);

/** @throws {FormatError} with the name of the invalid field, or if the answer failed or is not ready yet. */
export function decodeResponse(body: unknown, unnamedId = UNKNOWN_ID): ChatResponse {
  const wire = checkAnswer(responseSchema, body);
  if (wire.error) throw new FormatError(wire.error.message || 'The answer failed.', 'error');
  if (wire.status && !ENDED.has(wire.status)) throw new FormatError(`The answer is ${wire.status}.`, 'status');
  const early = endedEarlyBy(wire);
  if (early !== undefined) throw new FormatError(early.message, 'incomplete_details.reason');
  const parts = wire.output.filter(isKnownOutputItem).flatMap(decodeOutputItem);
  return {
    id: wire.id || unnamedId,
    model: wire.model ?? '',
    ...defined({ createdAt: wire.created_at ?? undefined }),
    parts,
    finishReason: decodeFinishReason(wire, new Set(parts.map(({ type }) => type))),
    ...defined({ usage: decodeAnswerUsage(wire) }),
    ...asDropped(wire.output.flatMap(droppedFromOutput)),
  };
}

/** Decodes an item. Empty text, and reasoning with only an ID, are dropped. */
function decodeOutputItem(item: KnownOutputItem): AssistantPart[] {
  switch (item.type) {
    case undefined:
    case 'message':
      return decodeAnswerContent(item.content ?? null).filter((part) => !('text' in part) || part.text !== '');
    case 'reasoning': {
      const part = decodeReasoning(item);
      return part.text !== '' || part.encrypted !== undefined || part.signature !== undefined ? [part] : [];
    }
    case 'function_call':
      return [decodeCall(item, item.arguments ?? '')];
    case 'custom_tool_call':
      return [{ ...decodeCall(item, item.input ?? ''), freeForm: true }];
    case 'image_generation_call':
      return decodeImage(item);
  }
}

/** Encodes an answer, with the same output as at the end of a stream. */
export function encodeResponse(response: ChatResponse, context: AnswerContext): ResponsesResponse {
  const head = answerHead(response, context);
  const output = writtenOutput(response);
  const ending = encodeFinishReason(response.finishReason, output.hasRefusal);
  output.close(ending.status);
  return {
    ...head,
    ...ending,
    completed_at: completedAt(ending, context),
    output: output.wire(),
    usage: encodeAnswerUsage(response.usage),
  };
}

function writtenOutput(response: ChatResponse): Output {
  const output = new Output(responseId(response.id));
  for (const event of responseEvents(response)) if ('index' in event) output.push(event);
  return output;
}

/** Returns the items of the answer in this format, streamed or not. */
export function outputItems(response: ChatResponse): OutputItem[] {
  const output = writtenOutput(response);
  output.close('completed');
  return output.wire();
}

export function encodeAnswerUsage(usage: Usage | undefined): ResponsesUsage | null {
  return usage === undefined ? null : encodeUsage(usage);
}

/** Returns the time of completion, which only a complete answer has. */
export function completedAt({ status }: ResponseEnding, { now }: AnswerContext): number | null {
  return status === 'completed' ? now : null;
}

interface Identity {
  readonly id: string;
  readonly model: string;
  readonly createdAt?: number;
}

/** Returns undefined for a time that no integer can represent exactly, which strict clients refuse. */
function wholeSeconds(at: number | undefined): number | undefined {
  const seconds = Math.floor(at ?? Number.NaN);
  return Number.isSafeInteger(seconds) ? seconds : undefined;
}

export function answerHead({ id, model, createdAt }: Identity, { request, now }: AnswerContext) {
  return {
    id: responseId(id),
    object: 'response',
    created_at: wholeSeconds(createdAt) ?? Math.floor(now),
    completed_at: null as number | null,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    model,
    output: [] as OutputItem[],
    usage: null,
    ...echo(request),
  };
}

/**
 * Returns the request's members that answers repeat, with the format's defaults for missing and for very long ones.
 * Strict clients require all members of the Open Responses specification.
 */
function echo(request: ChatRequest) {
  const members = repeated(request);
  const names = Object.keys(members) as (keyof typeof members)[];
  const long = names.filter((name) => isLongerThan(members[name], MAX_REPEATED_LENGTH));
  if (long.length === 0) return members;
  const defaults = repeated({ model: '', system: [], messages: [] });
  return { ...members, ...Object.fromEntries(long.map((name) => [name, defaults[name]])) };
}

function repeated(request: ChatRequest) {
  const asked = encodeOptions(request);
  return {
    instructions: encodeInstructions(request.system) ?? null,
    tools: (asked.tools ?? []).map(completeTool),
    tool_choice: asked.tool_choice ?? 'auto',
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    max_output_tokens: asked.max_output_tokens ?? null,
    max_tool_calls: null,
    temperature: asked.temperature ?? 1,
    top_p: asked.top_p ?? 1,
    top_logprobs: asked.top_logprobs ?? 0,
    frequency_penalty: 0,
    presence_penalty: 0,
    reasoning: { effort: null, summary: null, ...asked.reasoning },
    text: { ...asked.text, format: completeFormat(asked.text?.format) },
    previous_response_id: asked.previous_response_id ?? null,
    truncation: asked.truncation ?? 'disabled',
    metadata: asked.metadata ?? {},
    store: asked.store ?? true,
    background: false,
    service_tier: asked.service_tier ?? 'default',
    safety_identifier: asked.safety_identifier ?? null,
    prompt_cache_key: asked.prompt_cache_key ?? null,
    user: null,
  };
}

function completeTool(tool: ResponsesWireTool): ResponsesWireTool {
  return tool.type === 'function' ? { description: null, ...tool } : tool;
}

function completeFormat(format: WireTextFormat = { type: 'text' }): WireTextFormat {
  return format?.type === 'json_schema' ? { description: null, strict: false, ...format } : format;
}

type PartType = AssistantPart['type'];

/** Words for answers that were cut at a limit. */
const LIMITS: ReadonlySet<string> = new Set(['max_output_tokens', 'max_tokens', 'length', 'context_length_exceeded']);

/**
 * Returns the error of an answer that has ended for no reason that is known. Only known words are a normal end.
 * @param isIncomplete whether the service says that it is, whatever its reason.
 */
export function endedEarlyBy(wire: StreamedResponse, isIncomplete = false): ApiError | undefined {
  const reason = wire.incomplete_details?.reason;
  const isCut = isIncomplete || wire.status === 'incomplete';
  const word = isCut || reason ? reason : undefined;
  if (!word || word === 'content_filter' || LIMITS.has(word)) return undefined;
  return { kind: 'server', message: endedEarly(word) };
}

/** Derives the finish reason from the status and the content, because the format has none. */
export function decodeFinishReason(wire: StreamedResponse, partTypes: ReadonlySet<PartType>): FinishReason {
  if (wire.status === 'incomplete' || wire.incomplete_details?.reason) {
    return wire.incomplete_details?.reason === 'content_filter' ? 'contentFilter' : 'length';
  }
  if (partTypes.has('toolCall')) return 'toolCalls';
  return partTypes.has('refusal') ? 'refusal' : 'stop';
}

export interface ResponseEnding {
  readonly status: 'completed' | 'incomplete';
  readonly incomplete_details: { readonly reason: 'max_output_tokens' | 'content_filter' } | null;
}

/** Encodes the finish reason. A refusal without text can only be expressed as filtered content. */
export function encodeFinishReason(reason: FinishReason, hasRefusal: boolean): ResponseEnding {
  if (reason === 'length' || reason === 'contextWindow') return incomplete('max_output_tokens');
  if (reason === 'contentFilter') return incomplete('content_filter');
  if (reason === 'refusal' && !hasRefusal) return incomplete('content_filter');
  return { status: 'completed', incomplete_details: null };
}

function incomplete(reason: 'max_output_tokens' | 'content_filter'): ResponseEnding {
  return { status: 'incomplete', incomplete_details: { reason } };
}
