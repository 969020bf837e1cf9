/** A request translated to the format of its upstream, and the translation of the answer back. */

import type { ChatResponse } from '../../formats/answer.ts';
import type { ApiError } from '../../formats/apiError.ts';
import type { AssistantPart, ChatRequest, Message, TextPart, ToolResultPart } from '../../formats/conversation.ts';
import { HALF, strictJson } from '../../formats/json.ts';
import { inputToolsOf, withEarlierTools } from '../../formats/tools.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { DecodedRequest } from '../core/callerRequest.ts';
import type { KeyMask } from '../core/keyMask.ts';
import type { ResponseStore } from '../core/responseStore.ts';
import type { AnswerSink, Endpoint, UpstreamRequest } from '../core/upstream.ts';
import { headersNamed } from '../http/headers.ts';
import { writeLongJson } from '../http/longJson.ts';
import { isLong } from '../http/turns.ts';
import { withAcceptedCacheMarks } from './acceptedCacheMarks.ts';
import { refusalOfEssentials, refusalOfFiles } from './essentials.ts';
import { withOwnReasoning } from './ownReasoning.ts';
import { planTools } from './toolPlan.ts';
import { TranslatedAnswer } from './translatedAnswer.ts';
import { VendorMemory } from './vendorMemory.ts';

export interface Translation {
  readonly request: UpstreamRequest;
  /** Writes the body in steps. Present instead of the request's body if the caller's body is long. */
  readonly writeBody?: () => Promise<Buffer>;
  /** Names of what the upstream cannot be asked for: hosted tools by their types, members, parts of content. */
  readonly dropped: readonly string[];
  /** Creates the sink for the upstream's answer, in front of the caller's sink. `mask` masks the upstream's key. */
  createAnswer(sink: AnswerSink, mask?: KeyMask): TranslatedAnswer;
}

/** Parts that the gateway handles itself if the upstream's format does not support them. */
const STOP = 'stop';
const IS_ERROR = 'is_error';
const REASONING = 'reasoning';
const CACHE_MARKS = 'cache_control';

export interface AnsweringUpstream {
  readonly id: string;
  readonly vendor: VendorMemory;
}

const UNNAMED: AnsweringUpstream = { id: '', vendor: new VendorMemory() };

/**
 * Translates a request for an upstream with another format.
 * @param model the upstream's name for the model.
 * @returns the error of the request if it cannot be translated.
 */
export function translate(
  original: UpstreamRequest,
  decoded: DecodedRequest,
  upstream: WireFormat,
  model: string,
  store: ResponseStore,
  { id, vendor }: AnsweringUpstream = UNNAMED,
): Translation | ApiError {
  const whole = continued(decoded);
  if ('kind' in whole) return whole;
  const { format: caller, request, texts } = decoded;
  const { dropped: fromCaller, unread } = request;
  const { localKeyId, memory } = original;
  const author = `${id}/${model}`;
  const { messages: readable, isForeign } = hasReasoning(whole)
    ? withOwnReasoning(whole.messages, author, upstream.name)
    : { messages: whole.messages, isForeign: false };
  const messages = vendor.hasSome ? vendor.restored(localKeyId, { id, model }, readable) : readable;
  const plan =
    ((fromCaller ?? unread) && refusalOfEssentials(request, caller.name)) ??
    (upstream.name === 'messages' ? refusalOfFiles(messages) : undefined) ??
    planTools({ ...whole, messages, model }, upstream);
  if ('kind' in plan) return plan;
  const marked = upstream.name === 'messages' ? withAcceptedCacheMarks(plan.request) : plan.request;
  const fromRequest = upstream.droppedFromRequest(marked);
  const lost = fromRequest.filter((name) => name !== STOP && name !== IS_ERROR);
  const dropped = [
    ...new Set([
      ...plan.dropped,
      ...(fromCaller ?? []),
      ...lost,
      ...(isForeign ? [REASONING] : []),
      ...(marked === plan.request ? [] : [CACHE_MARKS]),
    ]),
  ];
  const asked = fromRequest.includes(IS_ERROR) ? withMarkedFailures(marked) : marked;
  const head = upstreamRequest(original, upstream, asked);
  const body = upstream.encodeRequest(asked);
  const isWrittenLater = original.body !== undefined && isLong(original.body);
  const json = isWrittenLater ? '' : JSON.stringify(body);
  const ofAnswer = {
    ...{ upstream, caller, dropped, memory, request: { ...request, model }, messages: whole.messages },
    names: plan.names,
    stopSequences: fromRequest.includes(STOP) ? (request.stopSequences ?? []) : [],
    textBytes: texts?.bytes,
    author: {
      id: author,
      callerFormat: caller.name,
      keep: (parts: readonly AssistantPart[]) => vendor.keep(localKeyId, { id, model }, parts),
    },
    onResponse: keeper(decoded, whole, localKeyId, store),
  };
  return {
    request: isWrittenLater ? head : { ...head, body: Buffer.from(json.includes(HALF) ? strictJson(body) : json) },
    ...(isWrittenLater && { writeBody: () => writeLongJson(body, decoded.bytes, texts) }),
    dropped,
    createAnswer: (sink, mask) => new TranslatedAnswer({ ...ofAnswer, mask }, sink),
  };
}

function hasReasoning({ messages }: ChatRequest): boolean {
  for (const { parts } of messages) for (const part of parts) if (part.type === 'reasoning') return true;
  return false;
}

function upstreamRequest(original: UpstreamRequest, upstream: WireFormat, request: ChatRequest): UpstreamRequest {
  return {
    endpoint: upstream.path as Endpoint,
    method: 'POST',
    subpath: '',
    query: '',
    headers: {
      'content-type': 'application/json',
      accept: request.stream === true ? 'text/event-stream' : 'application/json',
      ...headersNamed(original.headers, CARRIED_HEADERS),
    },
    localKeyId: original.localKeyId,
    callerFormat: upstream.name,
    ...(original.onSending !== undefined && { onSending: original.onSending }),
    ...(original.session !== undefined && { session: original.session }),
    isTranslated: true,
  };
}

/** Who asks, and the trace that the request is a part of. */
const CARRIED_HEADERS = ['user-agent', 'traceparent', 'tracestate'] as const;

function continued(decoded: DecodedRequest): ChatRequest | ApiError {
  const { previousResponseId, ...request } = withoutStore(decoded);
  if (previousResponseId === undefined) return request;
  const { earlier } = decoded;
  if (earlier === undefined) return unknownResponse(previousResponseId);
  const instructions = decoded.hasInstructions ? request.system.slice(0, 1) : [];
  const system = request.system.slice(instructions.length);
  const messages: Message[] = [...earlier.messages, ...asMessage(system), ...request.messages];
  return withEarlierTools({ ...request, system: [...instructions, ...earlier.system], messages }, earlier.inputTools);
}

/** Answers in the responses format are stored by the gateway, so the upstream is not asked to store them. */
function withoutStore({ format, request }: DecodedRequest): ChatRequest {
  if (format.name !== 'responses') return request;
  const { store: _, ...rest } = request;
  return rest;
}

/** Instructions at the start of the new input are in the middle of the whole conversation. */
function asMessage(system: readonly TextPart[]): Message[] {
  return system.length === 0 ? [] : [{ role: 'system', parts: system }];
}

function unknownResponse(id: string): ApiError {
  return {
    kind: 'invalidRequest',
    status: 400,
    code: 'previous_response_not_found',
    param: 'previous_response_id',
    message: `The answer "${id}" is no longer stored here. Send the whole conversation as input.`,
  };
}

/**
 * Stores an answer with its conversation, which a later request can continue. Only the responses format can continue
 * answers, and only those that the caller allows to be stored.
 */
function keeper(
  { format, request, bytes, hasInstructions, earlier }: DecodedRequest,
  whole: ChatRequest,
  localKeyId: string,
  store: ResponseStore,
): ((response: ChatResponse) => void) | undefined {
  if (format.name !== 'responses' || request.store === false) return undefined;
  return (answer) => {
    const system = earlier?.system ?? request.system.slice(hasInstructions ? 1 : 0);
    const conversation = { system, messages: whole.messages, inputTools: inputToolsOf(whole) };
    store.keep(localKeyId, { conversation, bytes, answer, ...(earlier !== undefined && { previous: earlier }) });
  };
}

const MARK = { type: 'text', text: 'The tool failed:' } as const;

/** Marks failed tool results in their text, for upstreams whose format has no field for it. */
function withMarkedFailures(request: ChatRequest): ChatRequest {
  return { ...request, messages: request.messages.map(markedIn) };
}

function markedIn(message: Message): Message {
  return message.role === 'tool' ? { ...message, parts: message.parts.map(marked) } : message;
}

function marked(part: ToolResultPart): ToolResultPart {
  if (part.isError !== true) return part;
  const [first, ...rest] = part.content;
  const { isError: _, ...result } = part;
  if (first?.type !== 'text') return { ...result, content: [MARK, ...part.content] };
  return { ...result, content: [{ ...first, text: `${MARK.text}\n${first.text}` }, ...rest] };
}
