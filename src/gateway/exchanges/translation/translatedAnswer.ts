import type { OutgoingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import { type ApiError, FormatError } from '../../../formats/apiError.ts';
import type { ChatRequest, ChatResponse } from '../../../formats/conversation.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import { createUnpacker, isPlain, unpack } from '../../upstreams/contentEncoding.ts';
import type { AnswerSink, UpstreamCall } from '../../upstreams/upstream.ts';
import { encodingOf, isEventStream, STREAM_HEADERS, translateHeaders } from './answerHeaders.ts';
import { AnswerRestorer } from './answerRestorer.ts';
import { TranslationContext } from './context.ts';
import { forCaller, newRequestId, readError, requestIdOf } from './errorAnswer.ts';
import type { ToolNames } from './toolNames.ts';
import { TranslatedStream } from './translatedStream.ts';
import { asStream, readWhole, withUsage } from './wholeBody.ts';

export interface TranslationOptions {
  readonly upstream: WireFormat;
  readonly caller: WireFormat;
  /** The caller's, before it was planned for the upstream: answers repeat members of it. */
  readonly request: ChatRequest;
  readonly names: ToolNames;
  /** Headers of the gateway itself. */
  readonly headers: OutgoingHttpHeaders;
  /** Called with the whole answer as the caller got it, when somebody wants to keep it. */
  readonly onResponse?: (response: ChatResponse) => void;
}

/** A whole answer, or an error, that is not a stream. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** How long the count may stay out after the last word, and the upstream's end after the answer is whole. */
const SETTLING_MS = 1_000;

/** Stands between an upstream of one format and a caller of another. */
export class TranslatedAnswer implements AnswerSink {
  readonly #options: TranslationOptions;
  readonly #sink: AnswerSink;
  readonly #restorer: AnswerRestorer;
  readonly #context: TranslationContext;
  #call: UpstreamCall | undefined;
  #status = 0;
  #headers: OutgoingHttpHeaders = {};
  #body: Buffer[] | undefined;
  #bodyBytes = 0;
  #stream: TranslatedStream | undefined;
  #unpacker: Transform | undefined;
  #settling: NodeJS.Timeout | undefined;
  #over = false;
  #upstreamEnded = false;

  constructor(options: TranslationOptions, sink: AnswerSink) {
    this.#options = options;
    this.#sink = sink;
    this.#restorer = new AnswerRestorer(options.names, options.request.model);
    this.#context = new TranslationContext(options.request);
  }

  /** The call that this is the sink of, as the caller may use it. */
  attach(call: UpstreamCall): UpstreamCall {
    this.#call = call;
    if (this.#over) this.#settle();
    return {
      pause: () => call.pause(),
      resume: () => call.resume(),
      cancel: () => {
        this.#finish();
        clearTimeout(this.#settling);
        call.cancel();
      },
      lastWords: (error) => this.#stream?.fail(error),
    };
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (status < 400 && isEventStream(headers)) this.#startStream(headers);
    else this.#body = [];
  }

  data(chunk: Uint8Array | string): boolean {
    return this.#over || this.#guard(() => this.#data(chunk));
  }

  /** A fault of ours must not leave the client waiting, not even one in the last step. */
  #guard(step: () => boolean): boolean {
    try {
      return step();
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      this.#over = false;
      this.#abandon({ kind: 'server', status: 500, message: `The answer could not be translated: ${reason}` });
      return true;
    }
  }

  #data(chunk: Uint8Array | string): boolean {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.#body !== undefined) return this.#collect(bytes);
    if (this.#unpacker === undefined) return this.#pass(bytes);
    return this.#unpacker.write(bytes);
  }

  end(): void {
    this.#upstreamEnded = true;
    clearTimeout(this.#settling);
    if (!this.#over) this.#guard(() => this.#end());
  }

  #end(): boolean {
    if (this.#body !== undefined) this.#endBody(Buffer.concat(this.#body));
    else if (this.#unpacker !== undefined) this.#unpacker.end();
    else this.#endStream();
    return true;
  }

  fail(error: ApiError): void {
    this.#upstreamEnded = true;
    clearTimeout(this.#settling);
    if (this.#over) return;
    if (this.#stream?.phase === 'finished') {
      this.#endStream();
      return;
    }
    this.#over = true;
    this.#unpacker?.destroy();
    this.#sink.fail(error);
  }

  // -------------------------------------------------------------------------------------------------------- streams

  #startStream(headers: OutgoingHttpHeaders): void {
    const { upstream, caller, onResponse } = this.#options;
    this.#stream = new TranslatedStream({
      upstream,
      caller,
      context: this.#context,
      restorer: this.#restorer,
      keepsEvents: onResponse !== undefined || !this.#wantsStream,
      onUsage: (count) => this.#sink.used?.(count),
    });
    const encoding = encodingOf(headers);
    if (!isPlain(encoding)) this.#unpack(encoding);
    if (this.#wantsStream && !this.#over)
      this.#sink.start(this.#status, { ...this.#answerHeaders(), ...STREAM_HEADERS });
  }

  /** A slow client holds the upstream up by way of {@link UpstreamCall.pause}, so the unpacker need not. */
  #unpack(encoding: string): void {
    const unpacker = createUnpacker(encoding);
    if (unpacker === undefined) {
      this.#abandon(malformed(`The upstream's answer is packed in a way that is not known: ${encoding}.`));
      return;
    }
    this.#unpacker = unpacker
      .on('data', (bytes: Buffer) => this.#over || this.#guard(() => this.#pass(bytes)))
      .on('end', () => this.#over || this.#guard(() => this.#endStream()))
      .on('error', () => this.#abandon(malformed("The upstream's answer could not be unpacked.")));
  }

  #pass(bytes: Uint8Array): boolean {
    const stream = this.#stream;
    if (stream === undefined) return true;
    const text = stream.push(bytes);
    const goesOn = text === '' || !this.#wantsStream || this.#sink.data(text);
    if (stream.phase === 'over') this.#endStream();
    else if (stream.phase === 'finished') this.#settling ??= setTimeout(() => this.#endStream(), SETTLING_MS);
    return goesOn;
  }

  #endStream(): true {
    const stream = this.#stream;
    if (stream === undefined || this.#over) return true;
    const rest = stream.end();
    if (this.#wantsStream && rest !== '') this.#sink.data(rest);
    this.#finish();
    this.#settle();
    const { error } = stream;
    const response = stream.response();
    if (response !== undefined) this.#options.onResponse?.(response);
    if (error !== undefined) this.#sink.fail(error);
    else if (this.#wantsStream) this.#sink.end();
    else if (response !== undefined) this.#sendResponse(response);
    return true;
  }

  // ------------------------------------------------------------------------------------------------- whole answers

  #collect(bytes: Uint8Array): boolean {
    this.#bodyBytes += bytes.length;
    if (this.#bodyBytes <= MAX_BODY_BYTES) this.#body?.push(Buffer.from(bytes));
    else this.#abandon(malformed("The upstream's answer is too long."));
    return true;
  }

  #endBody(packed: Buffer): void {
    const body = unpack(packed, encodingOf(this.#headers), MAX_BODY_BYTES)?.toString();
    if (body === undefined) this.#abandon(malformed("The upstream's answer could not be unpacked."));
    else if (this.#status >= 400) this.#sendError(body);
    else this.#sendAnswer(body);
  }

  #sendAnswer(body: string): void {
    let response: ChatResponse;
    try {
      response = this.#restorer.response(this.#counted(readWhole(this.#options.upstream, body)));
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof SyntaxError)) throw error;
      this.#abandon(malformed(`The upstream's answer is not one: ${error.message}`));
      return;
    }
    this.#finish();
    this.#options.onResponse?.(response);
    if (this.#wantsStream) this.#streamResponse(response);
    else this.#sendResponse(response);
  }

  #counted(response: ChatResponse): ChatResponse {
    const counted = withUsage(response, this.#context);
    const { usage } = counted;
    if (usage !== undefined) this.#sink.used?.({ usage, isEstimated: usage !== response.usage });
    return counted;
  }

  #sendResponse(response: ChatResponse): void {
    const body = Buffer.from(JSON.stringify(this.#options.caller.encodeResponse(response, this.#context)));
    this.#sendJson(200, body);
  }

  /** The caller wanted a stream and the upstream has none. */
  #streamResponse(response: ChatResponse): void {
    this.#sink.start(200, { ...this.#answerHeaders(), ...STREAM_HEADERS });
    this.#sink.data(asStream(response, this.#options.caller, this.#context));
    this.#sink.end();
  }

  #sendError(body: string): void {
    this.#finish();
    const { upstream, caller } = this.#options;
    const error = readError({ status: this.#status, headers: this.#headers, body }, upstream);
    const encoded = caller.encodeError(forCaller(error, upstream, caller));
    this.#sendJson(encoded.status, Buffer.from(JSON.stringify(encoded.body)), error.requestId);
  }

  #sendJson(status: number, body: Buffer, requestId?: string): void {
    const headers = this.#answerHeaders(requestId);
    this.#sink.start(status, { ...headers, 'content-type': 'application/json', 'content-length': body.length });
    this.#sink.data(body);
    this.#sink.end();
  }

  // -------------------------------------------------------------------------------------------------------- common

  get #wantsStream(): boolean {
    return this.#options.request.stream === true;
  }

  #answerHeaders(requestId = requestIdOf(this.#headers) ?? newRequestId()): OutgoingHttpHeaders {
    const { caller, headers } = this.#options;
    const translated = translateHeaders(this.#headers, caller.name, Date.now());
    return { ...translated, ...headers, 'request-id': requestId, 'x-request-id': requestId };
  }

  /** Nothing that the upstream still says is heard. */
  #finish(): void {
    this.#over = true;
    clearTimeout(this.#settling);
  }

  /** The upstream may end by itself, which keeps its connection; it may not go on working for nobody. */
  #settle(): void {
    const call = this.#call;
    if (call === undefined || this.#upstreamEnded) return;
    this.#settling = setTimeout(() => call.cancel(), SETTLING_MS);
    call.resume();
  }

  #abandon(error: ApiError): void {
    if (this.#over) return;
    this.#finish();
    this.#unpacker?.destroy();
    this.#call?.cancel();
    this.#sink.fail(error);
  }
}

function malformed(message: string): ApiError {
  return { kind: 'malformed', status: 502, message };
}
