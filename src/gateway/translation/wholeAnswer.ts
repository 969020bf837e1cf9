/** Reads and writes answers in one piece. */

import {
  assembleResponse,
  type ChatEvent,
  type ChatResponse,
  responseEvents,
  writtenText,
} from '../../formats/answer.ts';
import { FormatError } from '../../formats/apiError.ts';
import type { AssistantPart, ChatRequest } from '../../formats/conversation.ts';
import { asDropped } from '../../formats/dropped.ts';
import { formatServerSentEvent, ServerSentEventDecoder } from '../../formats/serverSentEvents.ts';
import type { AnswerContext, WireFormat } from '../../formats/wireFormat.ts';
import { estimateRequestTokens, estimateTokens } from '../../tokens/estimate.ts';
import { newId } from '../core/callIds.ts';
import type { KeyMask } from '../core/keyMask.ts';
import { checkArguments } from '../core/requestLimits.ts';
import { BYTES_PER_TOKEN } from '../core/usageEstimator.ts';
import { shortObject } from '../http/jsonBody.ts';
import { isTooDeep } from '../http/jsonMeasure.ts';

const EVENT_STREAM = /^\s*(?:event|data|id|:)/;

/**
 * Reads a complete answer. Some servers send an event stream with another content type.
 * @throws {FormatError} if the body is not an answer in this format.
 * @throws {SyntaxError} if it is not JSON.
 */
export function readWhole(format: WireFormat, body: Buffer): ChatResponse {
  const short = shortObject(body);
  if (short === undefined && EVENT_STREAM.test(body.toString())) return readStream(format, body);
  if (short === undefined && isTooDeep(body)) throw new FormatError('It is nested too deeply.', '');
  const response = format.decodeResponse(short ?? JSON.parse(body.toString()), newId());
  checkArguments(response.parts.filter((part) => part.type === 'toolCall'));
  return response;
}

function readStream(format: WireFormat, body: Buffer): ChatResponse {
  const bytes = new ServerSentEventDecoder();
  const decoder = format.createStreamDecoder(newId());
  const events = [...bytes.push(body), ...bytes.end()];
  const decoded = events.flatMap((event): ChatEvent[] => decoder.push(format.parseEvent(event)));
  return { ...assembleResponse([...decoded, ...decoder.end()]), ...asDropped([...(decoder.dropped ?? [])]) };
}

/** Adds an estimate of the usage if the upstream has not reported it. */
export function withUsage(response: ChatResponse, context: TranslationContext): ChatResponse {
  if (response.usage !== undefined && response.usage.inputTokens + response.usage.outputTokens > 0) return response;
  const text = response.parts.map(writtenText).join('');
  return { ...response, usage: { inputTokens: context.inputTokens, outputTokens: estimateTokens(text) } };
}

/**
 * Masks the upstream's key. Texts of several pieces are only joined after their bytes were searched, so they are
 * searched again.
 */
export function withoutKey(response: ChatResponse, mask: KeyMask): ChatResponse {
  const parts = response.parts.map((part): AssistantPart => {
    if (part.type === 'image') return part;
    if (part.type === 'toolCall') return { ...part, arguments: mask.answerText(part.arguments) };
    return { ...part, text: mask.answerText(part.text) };
  });
  return { ...response, parts };
}

export function asStream(response: ChatResponse, format: WireFormat, context: TranslationContext): string {
  const encoder = format.createStreamEncoder(context);
  const events = [...responseEvents(response)].flatMap((event) => encoder.push(event));
  return [...events, ...encoder.end()].map(formatServerSentEvent).join('');
}

/** Returns the stream of a complete answer in the same format. Undefined if it cannot be read. */
export function wholeAsStream(format: WireFormat, body: Buffer): string | undefined {
  try {
    const request = { model: '', system: [], messages: [], includeUsage: true };
    return asStream(readWhole(format, body), format, new TranslationContext(request));
  } catch (error) {
    if (error instanceof FormatError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The context that encoders need. The prompt's tokens are only estimated if an encoder reads them. */
export class TranslationContext implements AnswerContext {
  readonly request: ChatRequest;
  readonly #textBytes: number;
  #inputTokens: number | undefined;

  /** @param textBytes length of the texts of which the request has only references. */
  constructor(request: ChatRequest, textBytes = 0) {
    this.request = request;
    this.#textBytes = textBytes;
  }

  get now(): number {
    return Math.floor(Date.now() / 1000);
  }

  get inputTokens(): number {
    this.#inputTokens ??= estimateRequestTokens(this.request) + Math.ceil(this.#textBytes / BYTES_PER_TOKEN);
    return this.#inputTokens;
  }
}
