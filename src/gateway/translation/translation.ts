/** A request translated to the format of its upstream, and the translation of the answer back. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { AssistantPart, ChatRequest, ChatResponse, Message, TextPart } from '../../formats/conversation.ts';
import { inputToolsOf, withEarlierTools } from '../../formats/inputTools.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { DecodedRequest } from '../core/callerRequest.ts';
import type { KeyMask } from '../core/keyMask.ts';
import type { ResponseStore, StoredConversation } from '../core/responseStore.ts';
import type { AnswerSink, Endpoint, UpstreamRequest } from '../core/upstream.ts';
import { writeLongJson } from '../http/longJson.ts';
import { isLong } from '../http/turns.ts';
import { refusalOfEssentials } from './essentials.ts';
import { withMarkedFailures } from './failedResults.ts';
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

/** The upstream, and what is remembered of its answers. */
export interface Place {
  readonly id: string;
  readonly vendor: VendorMemory;
}

const UNNAMED: Place = { id: '', vendor: new VendorMemory() };

/** @param model the upstream's name for the model. */
export function translate(
  original: UpstreamRequest,
  decoded: DecodedRequest,
  upstream: WireFormat,
  model: string,
  store: ResponseStore,
  { id, vendor }: Place = UNNAMED,
): Translation | ApiError {
  const whole = continued(decoded);
  if ('kind' in whole) return whole;
  const { dropped: fromCaller = [] } = decoded.request;
  const author = `${id}/${model}`;
  const { messages: readable, isForeign } = withOwnReasoning(whole.request.messages, author, upstream.name);
  const messages = vendor.hasSome ? vendor.restored(original.localKeyId, { id, model }, readable) : readable;
  const plan =
    refusalOfEssentials(decoded.request, decoded.format.name) ??
    planTools({ ...whole.request, messages, model }, upstream);
  if ('kind' in plan) return plan;
  const { names } = plan;
  const fromRequest = upstream.droppedFromRequest(plan.request);
  const lost = fromRequest.filter((name) => name !== STOP && name !== IS_ERROR);
  const dropped = [...new Set([...plan.dropped, ...fromCaller, ...lost, ...(isForeign ? [REASONING] : [])])];
  const asked = fromRequest.includes(IS_ERROR) ? withMarkedFailures(plan.request) : plan.request;
  const keep = keeper(decoded, whole.conversation, original.localKeyId, store);
  const head = upstreamRequest(original, upstream, asked);
  const body = upstream.encodeRequest(asked);
  const isWrittenLater = original.body !== undefined && isLong(original.body);
  return {
    request: isWrittenLater ? head : { ...head, body: Buffer.from(JSON.stringify(body)) },
    ...(isWrittenLater && { writeBody: () => writeLongJson(body, decoded.bytes, decoded.texts) }),
    dropped,
    createAnswer: (sink, mask) => {
      const { format: caller, request } = decoded;
      const stopSequences = fromRequest.includes(STOP) ? (request.stopSequences ?? []) : [];
      const { messages } = whole.request;
      const asAsked = { ...request, model };
      const { memory } = original;
      const textBytes = decoded.texts?.bytes;
      const { localKeyId } = original;
      const keepParts = (parts: readonly AssistantPart[]) => vendor.keep(localKeyId, { id, model }, parts);
      const by = { id: author, callerFormat: caller.name, keep: keepParts };
      const ofRequest = { request: asAsked, messages, names, author: by, stopSequences, textBytes };
      const options = { upstream, caller, ...ofRequest, dropped, mask, memory };
      return new TranslatedAnswer({ ...options, ...(keep !== undefined && { onResponse: keep }) }, sink);
    },
  };
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
      ...carriedHeaders(original.headers),
    },
    localKeyId: original.localKeyId,
    callerFormat: upstream.name,
    ...(original.onSending !== undefined && { onSending: original.onSending }),
    isTranslated: true,
  };
}

/** Who asks, and the trace that the request is a part of. */
const CARRIED_HEADERS = ['user-agent', 'traceparent', 'tracestate'] as const;

function carriedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(CARRIED_HEADERS.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));
}

interface Continued {
  readonly request: ChatRequest;
  /** The conversation that a later request can continue, without the answer. */
  readonly conversation: StoredConversation;
}

/** Returns the request including the conversation that it continues. */
function continued(decoded: DecodedRequest): Continued | ApiError {
  const { previousResponseId, ...request } = withoutStore(decoded);
  const instructions = decoded.hasInstructions ? request.system.slice(0, 1) : [];
  const system = request.system.slice(instructions.length);
  if (previousResponseId === undefined) {
    return { request, conversation: { system, messages: request.messages, inputTools: inputToolsOf(request) } };
  }
  const { earlier } = decoded;
  if (earlier === undefined) return unknownResponse(previousResponseId);
  const messages: Message[] = [...earlier.messages, ...asMessage(system), ...request.messages];
  const whole = withEarlierTools(
    { ...request, system: [...instructions, ...earlier.system], messages },
    earlier.inputTools,
  );
  return { request: whole, conversation: { system: earlier.system, messages, inputTools: inputToolsOf(whole) } };
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

/** Only the responses format can continue answers, and only those that the caller allows to be stored. */
function keeper(
  { format, request, bytes, earlier }: DecodedRequest,
  conversation: StoredConversation,
  localKeyId: string,
  store: ResponseStore,
): ((response: ChatResponse) => void) | undefined {
  if (format.name !== 'responses' || request.store === false) return undefined;
  const about = { conversation, bytes, ...(earlier !== undefined && { previous: earlier }) };
  return (answer) => store.keep(localKeyId, { ...about, answer });
}
