import type { OutgoingHttpHeaders } from 'node:http';
import type { ChatResponse } from '../../formats/answer.ts';
import { type ApiError, FormatError, malformed } from '../../formats/apiError.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { responses } from '../../formats/responses/index.ts';
import { formatServerSentEvent, type ServerSentEvent } from '../../formats/serverSentEvents.ts';
import type { StreamEncoder } from '../../formats/wireFormat.ts';
import { newId, newRequestId } from '../core/callIds.ts';
import { sendJson } from '../core/gatewayAnswer.ts';
import { PassingSink } from '../core/passingSink.ts';
import type { AnswerSink, UpstreamCall } from '../core/upstream.ts';
import { BoundedBytes, MAX_WHOLE_BYTES } from '../http/byteList.ts';
import { decompress } from '../http/contentEncoding.ts';
import { encodingOf } from '../http/headers.ts';
import { readWhole, TranslationContext, withUsage } from '../translation/wholeAnswer.ts';
import { withSecrets } from './compactedInput.ts';
import type { ReadRequest } from './compactionMark.ts';
import { seal } from './seal.ts';

export interface Compaction {
  /** The caller's request, with opened items. */
  readonly original: ReadRequest;
  /** The same request in the neutral form. Answers repeat some of its members. */
  readonly asked: ChatRequest;
  readonly isStream: boolean;
  readonly sealingKey: () => Uint8Array;
}

const NO_SUMMARY = malformed(
  'The model was asked for a summary of the conversation and wrote none. Send the request again.',
);
const TOO_LONG: ApiError = {
  ...NO_SUMMARY,
  message: 'The summary that the model wrote is too long. Send the request again.',
};
/** In characters. Models write at most some 100,000 tokens. */
const MAX_SUMMARY_LENGTH = 2_000_000;
/** Number of events in the stream before the item. */
const EVENTS_BEFORE = 2;

/** Sends the summary that the model writes to the caller, as a sealed compaction item. */
export class SummaryAnswer extends PassingSink {
  readonly #compaction: Compaction;
  readonly #context: TranslationContext;
  readonly #bytes = new BoundedBytes();
  readonly #id = newId();
  #encoding = '';
  /** The headers that name the upstream, its model, and the route. */
  #routing: OutgoingHttpHeaders = {};
  #encoder: StreamEncoder | undefined;
  #isRefused = false;
  #isOver = false;
  #call: UpstreamCall | undefined;

  constructor(compaction: Compaction, sink: AnswerSink) {
    super(sink);
    this.#compaction = compaction;
    this.#context = new TranslationContext(compaction.asked);
  }

  /** Returns the call whose sink this is, in the form for the caller. */
  attach(call: UpstreamCall): UpstreamCall {
    this.#call = call;
    if (this.#isOver) call.cancel();
    return {
      pause: () => call.pause(),
      resume: () => call.resume(),
      cancel: () => {
        this.#isOver = true;
        call.cancel();
      },
      closingEvent: (error) => textOf(this.#encoder?.push({ type: 'error', error }) ?? []) || undefined,
    };
  }

  override start(status: number, headers: OutgoingHttpHeaders): void {
    this.#isRefused = status >= 400;
    this.#encoding = encodingOf(headers);
    this.#routing = routingOf(headers);
    if (this.#isRefused) this.sink.start(status, headers);
    else if (this.#compaction.isStream) this.#startStream();
  }

  override data(chunk: Buffer): boolean {
    if (this.#isRefused) return this.sink.data(chunk);
    if (this.#isOver) return true;
    if (this.#compaction.original.memory?.answer(chunk.length) === false) this.#isOver = true;
    else if (!this.#bytes.add(chunk)) this.#fail(NO_SUMMARY);
    return true;
  }

  override end(): void {
    if (this.#isOver) return;
    if (this.#isRefused) {
      this.sink.end();
      return;
    }
    const answer = this.#read();
    const text = answer?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
    if (answer === undefined || text.trim() === '') this.#fail(NO_SUMMARY);
    else if (text.length > MAX_SUMMARY_LENGTH) this.#fail(TOO_LONG);
    else this.#respond(withUsage(answer, this.#context), text);
  }

  override fail(error: ApiError): void {
    if (!this.#isOver) this.sink.fail(error);
    this.#isOver = true;
  }

  override used(): void {
    // The upstream's usage is in the answer that is read here. It is reported with the summary.
  }

  /**
   * Starts the stream as soon as the model's answer begins, so that the client sees activity while the summary is
   * written.
   */
  #startStream(): void {
    this.#encoder = responses.createStreamEncoder(this.#context);
    const { model } = this.#compaction.asked;
    const requestId = newRequestId();
    const ids = { 'request-id': requestId, 'x-request-id': requestId };
    this.sink.start(200, {
      ...ids,
      ...this.#routing,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
    });
    this.sink.data(bytesOf(this.#encoder.push({ type: 'start', id: this.#id, model })));
  }

  #read(): ChatResponse | undefined {
    const plain = decompress(this.#bytes.concat(), this.#encoding, MAX_WHOLE_BYTES);
    try {
      return plain && readWhole(responses, plain);
    } catch (error) {
      if (error instanceof FormatError || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  #respond(answer: ChatResponse, text: string): void {
    this.#isOver = true;
    const { asked, original, sealingKey } = this.#compaction;
    const item = {
      type: 'compaction',
      id: `cmp_${this.#id}`,
      encrypted_content: seal(withSecrets(text, original.standIns), sealingKey()),
    };
    const head = { ...answer, id: this.#id, model: asked.model, parts: [], finishReason: 'stop' as const };
    const response = { ...responses.encodeResponse(head, this.#context), output: [item] };
    if (answer.usage !== undefined) this.sink.used?.({ usage: answer.usage, isEstimated: false });
    if (original.endpoint === '/responses/compact') {
      const { id, created_at, output, usage } = response;
      sendJson(this.sink, 200, { id, object: 'response.compaction', created_at, output, usage }, this.#routing);
    } else if (this.#compaction.isStream) {
      this.sink.data(bytesOf(itemEvents(item, response)));
      this.sink.end();
    } else sendJson(this.sink, 200, response, this.#routing);
  }

  #fail(error: ApiError): void {
    this.#isOver = true;
    this.#call?.cancel();
    this.sink.fail({ ...error, mayBeBilled: true });
  }
}

function routingOf(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-model-access-')));
}

function itemEvents(item: object, response: object): ServerSentEvent[] {
  const events = [
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  return events.map(({ type, ...members }, place) => ({
    event: type,
    data: JSON.stringify({ type, sequence_number: EVENTS_BEFORE + place, ...members }),
  }));
}

function bytesOf(events: readonly ServerSentEvent[]): Buffer {
  return Buffer.from(textOf(events));
}

function textOf(events: readonly ServerSentEvent[]): string {
  return events.map(formatServerSentEvent).join('');
}
