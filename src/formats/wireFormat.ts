import type { ApiError } from './apiError.ts';
import type { ChatEvent, ChatRequest, ChatResponse, FormatName } from './conversation.ts';
import type { ServerSentEvent } from './serverSentEvents.ts';

/**
 * One stream event, validated against the format's schema. An invalid event is a value: the stream continues.
 * `done` is the format's end marker if it is not an event (`[DONE]`).
 */
export type StreamItem<Event> =
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'malformed'; readonly problem: string; readonly data: string }
  | { readonly type: 'done' };

/** Validates the events of one stream, with the same results as {@link WireFormat.parseEvent}; never throws. */
export interface EventParser<Event> {
  parse(event: ServerSentEvent): StreamItem<Event>;
  /**
   * The JSON around the text of the last parsed event if the event contains nothing else: with any
   * other text, it is also a valid event. `undefined` for any other event, or if unknown.
   */
  textFrame?(): TextFrame | undefined;
}

/** Decodes one stream to the neutral form. */
export interface StreamDecoder<Event> {
  push(item: StreamItem<Event>): ChatEvent[];
  /** Names of what the neutral form does not support so far; as {@link ChatResponse.dropped}. */
  readonly dropped?: ReadonlySet<string>;
  /** Whether the answer is complete except for the format's last event, which some servers omit. */
  readonly hasSaidAll?: boolean;
  /** The upstream closed. Yields an `error` of kind `network` if the answer had not finished. */
  end(): ChatEvent[];
}

/** The bytes before and after a text delta, which is the content of a JSON string. */
export interface TextFrame {
  readonly before: string;
  readonly after: string;
}

/** Encodes one stream from the neutral form. */
export interface StreamEncoder {
  push(event: ChatEvent): ServerSentEvent[];
  /** Names of what the format does not support so far; as {@link WireFormat.droppedFromAnswer}. */
  readonly dropped?: ReadonlySet<string>;
  /**
   * The bytes around more text of this part, until another event is pushed, so that text can be written without calling the
   * encoder for each delta. `undefined` if the encoder must be called.
   */
  textFrame?(index: number): TextFrame | undefined;
  /** No event will follow. Yields the closing events or an error. */
  end(): ServerSentEvent[];
}

/** What an encoder needs to know about the request. */
export interface AnswerContext {
  /** The request in the neutral form; formats echo some of its members in their answers. */
  readonly request: ChatRequest;
  /** Whole seconds since the epoch, at the time of reading. */
  readonly now: number;
  /** The estimated prompt tokens, if known: some formats send them before the answer starts. */
  readonly inputTokens?: number;
}

export interface EncodedError<Body> {
  readonly status: number;
  readonly body: Body;
}

/**
 * A JSON format for requests, answers, and streams. Stateless outside a stream; pure. What a format does not
 * support is dropped deliberately: see each format's own comment and `docs/formats.md`.
 *
 * `Request`, `Response`, and `Event` are the types of the format's schemas.
 */
export interface WireFormat<Request = unknown, Response = unknown, Event = unknown, ErrorBody = unknown> {
  readonly name: FormatName;
  /** Path relative to the base address, such as `/chat/completions`. */
  readonly path: string;
  /** False if the upstream runs no tools itself; otherwise the format's own hosted tools are included. */
  readonly hasHostedTools?: false;

  /** @throws {FormatError} naming the invalid field. */
  decodeRequest(body: unknown): ChatRequest;
  encodeRequest(request: ChatRequest): Request;
  /** Names of what `encodeRequest` drops from this request, as most formats name it, each once. */
  droppedFromRequest(request: ChatRequest): readonly string[];

  /**
   * @param unnamedId the id of the answer if the service sends none.
   * @throws {FormatError} naming the invalid field.
   */
  decodeResponse(body: unknown, unnamedId?: string): ChatResponse;
  encodeResponse(response: ChatResponse, context: AnswerContext): Response;
  /** Names of what `encodeResponse` drops from the answer to this request, each once. */
  droppedFromAnswer(response: ChatResponse, request: ChatRequest): readonly string[];

  /** Validates one stream event; never throws. */
  parseEvent(event: ServerSentEvent): StreamItem<Event>;
  /** For a whole stream; if a format has it, it is faster than validating each event separately. */
  createEventParser?(): EventParser<Event>;
  /** @param unnamedId the id of the answer if the service sends none. */
  createStreamDecoder(unnamedId?: string): StreamDecoder<Event>;
  createStreamEncoder(context: AnswerContext): StreamEncoder;

  /** `undefined` if the body is not an error of this format. */
  decodeError(body: unknown): ApiError | undefined;
  /** The status is the error's own if it is an error status, otherwise the format's usual one for the kind. */
  encodeError(error: ApiError): EncodedError<ErrorBody>;
}
