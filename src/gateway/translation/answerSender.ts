import type { OutgoingHttpHeaders } from 'node:http';
import type { ChatResponse } from '../../formats/answer.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { newRequestId } from '../core/callIds.ts';
import type { AnswerSink } from '../core/upstream.ts';
import { forCaller, readError } from '../core/upstreamError.ts';
import type { ByteSink } from '../http/byteSink.ts';
import { requestIdOf, STREAM_HEADERS, translateHeaders } from '../http/headers.ts';
import { asStream, type TranslationContext } from './wholeAnswer.ts';

export interface SenderOptions {
  readonly upstream: WireFormat;
  readonly caller: WireFormat;
  readonly context: TranslationContext;
  /** Names of the request's parts that were not sent to the upstream. */
  readonly dropped: readonly string[];
}

const DROPPED_HEADER = 'x-model-access-dropped';

export class AnswerSender {
  readonly wantsStream: boolean;
  /** Set when they arrive. */
  upstreamHeaders: OutgoingHttpHeaders = {};
  readonly #options: SenderOptions;
  readonly #sink: AnswerSink;
  #dropped: readonly string[];

  constructor(options: SenderOptions, sink: AnswerSink) {
    this.wantsStream = options.context.request.stream === true;
    this.#options = options;
    this.#sink = sink;
    this.#dropped = options.dropped;
  }

  /**
   * Records names of the answer's parts that the caller's format cannot represent. Those known before the answer starts
   * are also sent in its headers.
   */
  drop(names: readonly string[]): void {
    const added = [...new Set(names)].filter((name) => !this.#dropped.includes(name));
    if (added.length === 0) return;
    this.#dropped = [...this.#dropped, ...added];
    this.#sink.dropped?.(added);
  }

  startStream(): void {
    if (this.wantsStream) this.#sink.start(200, { ...this.#headers(), ...STREAM_HEADERS });
  }

  /**
   * Sends a piece of the stream.
   * @returns false if the client reads slowly.
   */
  piece(text: string): boolean {
    if (text === '' || !this.wantsStream) return true;
    let to: ByteSink = this.#sink;
    while (to.direct !== undefined) to = to.direct;
    return to.data(Buffer.from(text));
  }

  /** Sends a complete answer, as a stream if the caller requested one. */
  response(response: ChatResponse): void {
    const { caller, context } = this.#options;
    if (!this.wantsStream) {
      this.#json(200, caller.encodeResponse(response, context));
      return;
    }
    this.startStream();
    this.piece(asStream(response, caller, context));
    this.#sink.end();
  }

  /** Ends the stream, or sends the complete answer if the caller requested no stream. */
  endStream(response: ChatResponse | undefined): void {
    if (this.wantsStream) this.#sink.end();
    else if (response !== undefined) this.response(response);
  }

  refusal(status: number, body: string): void {
    const { upstream, caller } = this.#options;
    const error = readError({ status, headers: this.upstreamHeaders, body }, upstream);
    const encoded = caller.encodeError(forCaller(error, upstream, caller));
    this.#json(encoded.status, encoded.body, error.requestId);
  }

  #json(status: number, value: unknown, requestId?: string): void {
    const body = Buffer.from(JSON.stringify(value));
    const headers = this.#headers(requestId);
    this.#sink.start(status, { ...headers, 'content-type': 'application/json', 'content-length': body.length });
    this.#sink.data(body);
    this.#sink.end();
  }

  #headers(requestId = requestIdOf(this.upstreamHeaders) ?? newRequestId()): OutgoingHttpHeaders {
    const translated = translateHeaders(this.upstreamHeaders, this.#options.caller.name, Date.now());
    const dropped = this.#dropped.map(headerSafe).join(', ');
    const left = dropped === '' ? {} : { [DROPPED_HEADER]: dropped };
    return { ...translated, ...left, 'request-id': requestId, 'x-request-id': requestId };
  }
}

/** Types of tools come from the request and may contain characters that are invalid in a header. */
function headerSafe(type: string): string {
  return type.replace(/[^\w.:-]/g, '_').slice(0, 64);
}
