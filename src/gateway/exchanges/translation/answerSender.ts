import type { OutgoingHttpHeaders } from 'node:http';
import type { ChatResponse } from '../../../formats/conversation.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { AnswerSink } from '../../upstreams/upstream.ts';
import { STREAM_HEADERS, translateHeaders } from './answerHeaders.ts';
import type { TranslationContext } from './context.ts';
import { forCaller, newRequestId, readError, requestIdOf } from './errorAnswer.ts';
import { asStream } from './wholeBody.ts';

export interface SenderOptions {
  readonly upstream: WireFormat;
  readonly caller: WireFormat;
  readonly context: TranslationContext;
  /** Headers of the gateway itself. */
  readonly headers: OutgoingHttpHeaders;
}

/** Tells the caller in its own format what the upstream has said. */
export class AnswerSender {
  readonly #options: SenderOptions;
  readonly #sink: AnswerSink;
  /** Of the upstream's answer. */
  #upstreamHeaders: OutgoingHttpHeaders = {};

  constructor(options: SenderOptions, sink: AnswerSink) {
    this.#options = options;
    this.#sink = sink;
  }

  get wantsStream(): boolean {
    return this.#options.context.request.stream === true;
  }

  set upstreamHeaders(headers: OutgoingHttpHeaders) {
    this.#upstreamHeaders = headers;
  }

  startStream(): void {
    if (this.wantsStream) this.#sink.start(200, { ...this.#headers(), ...STREAM_HEADERS });
  }

  /** A piece of the stream. @returns false when the client reads slowly. */
  piece(text: string): boolean {
    return text === '' || !this.wantsStream || this.#sink.data(Buffer.from(text));
  }

  /** A whole answer, as the stream that it would have been where the caller wanted one and the upstream has none. */
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

  /** The end of what was streamed; or all of it in one piece, where the caller wanted no stream. */
  endStream(response: ChatResponse | undefined): void {
    if (this.wantsStream) this.#sink.end();
    else if (response !== undefined) this.response(response);
  }

  refusal(status: number, body: string): void {
    const { upstream, caller } = this.#options;
    const error = readError({ status, headers: this.#upstreamHeaders, body }, upstream);
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

  #headers(requestId = requestIdOf(this.#upstreamHeaders) ?? newRequestId()): OutgoingHttpHeaders {
    const { caller, headers } = this.#options;
    const translated = translateHeaders(this.#upstreamHeaders, caller.name, Date.now());
    return { ...translated, ...headers, 'request-id': requestId, 'x-request-id': requestId };
  }
}
