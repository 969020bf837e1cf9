import type { OutgoingHttpHeaders } from 'node:http';
import type { ChatResponse } from '../../formats/conversation.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { AnswerSink } from '../core/upstream.ts';
import { forCaller, newRequestId, readError, requestIdOf } from '../core/upstreamError.ts';
import { STREAM_HEADERS, translateHeaders } from '../http/answerHeaders.ts';
import type { TranslationContext } from './context.ts';
import { asStream } from './wholeBody.ts';

export interface SenderOptions {
  readonly upstream: WireFormat;
  readonly caller: WireFormat;
  readonly context: TranslationContext;
  /** Names of what the upstream was not asked for. */
  readonly dropped: readonly string[];
}

const DROPPED_HEADER = 'x-model-access-dropped';

/** Tells the caller in its own format what the upstream has said. */
export class AnswerSender {
  readonly #options: SenderOptions;
  readonly #sink: AnswerSink;
  /** Of the upstream's answer. */
  #upstreamHeaders: OutgoingHttpHeaders = {};
  #dropped: readonly string[];

  constructor(options: SenderOptions, sink: AnswerSink) {
    this.#options = options;
    this.#sink = sink;
    this.#dropped = options.dropped;
  }

  get wantsStream(): boolean {
    return this.#options.context.request.stream === true;
  }

  set upstreamHeaders(headers: OutgoingHttpHeaders) {
    this.#upstreamHeaders = headers;
  }

  /**
   * Names of what the answer holds and the caller's format has no place for. Those that are known when it begins stand in
   * its headers.
   */
  drop(names: readonly string[]): void {
    const untold = [...new Set(names)].filter((name) => !this.#dropped.includes(name));
    if (untold.length === 0) return;
    this.#dropped = [...this.#dropped, ...untold];
    this.#sink.dropped?.(untold);
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
    const translated = translateHeaders(this.#upstreamHeaders, this.#options.caller.name, Date.now());
    const dropped = this.#dropped.map(headerSafe).join(', ');
    const left = dropped === '' ? {} : { [DROPPED_HEADER]: dropped };
    return { ...translated, ...left, 'request-id': requestId, 'x-request-id': requestId };
  }
}

/** Types of tools come from the request; a header takes no line breaks and the like. */
function headerSafe(type: string): string {
  return type.replace(/[^\w.:-]/g, '_').slice(0, 64);
}
