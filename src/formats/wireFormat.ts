import type { ChatEvent, ChatResponse } from './answer.ts';
import type { ApiError } from './apiError.ts';
import type { ChatRequest, FormatName } from './conversation.ts';
import type { ServerSentEvent } from './serverSentEvents.ts';

/**
 * One stream event, validated against the format's schema. `lost` is the path of a part of the output that could not be
 * read. An event that cannot be read is a value, and the stream continues; `isLost` if it may have contained output.
 * `done` is the format's end marker if the marker is not an event (`[DONE]`).
 */
export type StreamItem<Event> =
  | { readonly type: 'event'; readonly event: Event; readonly lost?: string }
  | { readonly type: 'malformed'; readonly problem: string; readonly data: string; readonly isLost?: true }
  | { readonly type: 'done' };

/** Validates the events of one stream, with the same results as {@link WireFormat.parseEvent}; never throws. */
export interface EventParser<Event> {
  parse(event: ServerSentEvent): StreamItem<Event>;
  /**
   * Returns the JSON around the text of the last parsed event if the event contains nothing else: with any other text,
   * it is a valid event too.
   * @returns undefined for any other event, or if this is unknown.
   */
  textFrame?(): TextFrame | undefined;
}

export interface StreamDecoder<Event> {
  push(item: StreamItem<Event>): ChatEvent[];
  /** Names of what the neutral form does not support so far; see {@link ChatResponse.dropped}. */
  readonly dropped?: ReadonlySet<string>;
  /** Whether the answer is complete except for the format's last event, which some servers omit. */
  readonly hasAllOutput?: boolean;
  /**
   * Called when the upstream closes the stream. Returns an `error` of kind `network` if the answer has not finished.
   */
  end(): ChatEvent[];
}

/** The bytes before and after a text delta, which is the content of a JSON string. */
export interface TextFrame {
  readonly before: string;
  readonly after: string;
}

export interface StreamEncoder {
  push(event: ChatEvent): ServerSentEvent[];
  /** Names of what the format does not support so far; see {@link WireFormat.droppedFromAnswer}. */
  readonly dropped?: ReadonlySet<string>;
  /**
   * Returns the bytes around more text of this part, which are valid until another event is pushed, so that text can be
   * written without calling the encoder for each delta.
   * @returns undefined if the encoder must be called.
   */
  textFrame?(index: number): TextFrame | undefined;
  /** Called when no event will follow. Returns the closing events or an error. */
  end(): ServerSentEvent[];
}

/** What an encoder needs to know about the request. */
export interface AnswerContext {
  /** The request in the neutral form. Formats repeat some of its members in their answers. */
  readonly request: ChatRequest;
  /** Whole seconds since the epoch, at the time of reading. */
  readonly now: number;
  /** The estimated prompt tokens, if known. Some formats send them before the answer starts. */
  readonly inputTokens?: number;
}

export interface EncodedError<Body> {
  readonly status: number;
  readonly body: Body;
}

/**
 * A JSON format for requests, answers, and streams. Its functions are pure, and only streams have state. What a format
 * does not support is dropped deliberately: see each format's own comment and `docs/formats.md`.
 *
 * `Request`, `Response`, and `Event` are the types of the format's schemas.
 */
export interface WireFormat<Request = unknown, Response = unknown, Event = unknown, ErrorBody = unknown> {
  readonly name: FormatName;
  /** Path relative to the base address, such as `/chat/completions`. */
  readonly path: string;
  /** False if the upstream runs no tools itself. Otherwise the format's own hosted tools are included. */
  readonly hasHostedTools?: false;

  /** @throws {FormatError} with the name of the invalid field. */
  decodeRequest(body: unknown): ChatRequest;
  encodeRequest(request: ChatRequest): Request;
  /** Returns the names of what `encodeRequest` drops from this request, each once, as most formats name it. */
  droppedFromRequest(request: ChatRequest): readonly string[];

  /**
   * @param unnamedId the ID of the answer if the service sends none.
   * @throws {FormatError} with the name of the invalid field.
   */
  decodeResponse(body: unknown, unnamedId?: string): ChatResponse;
  encodeResponse(response: ChatResponse, context: AnswerContext): Response;
  /** Returns the names of what `encodeResponse` drops from the answer to this request, each once. */
  droppedFromAnswer(response: ChatResponse, request: ChatRequest): readonly string[];

  /** Validates one stream event; never throws. */
  parseEvent(event: ServerSentEvent): StreamItem<Event>;
  /** Creates a parser for a whole stream. If a format has one, it is faster than validating each event separately. */
  createEventParser?(): EventParser<Event>;
  /** @param unnamedId the ID of the answer if the service sends none. */
  createStreamDecoder(unnamedId?: string): StreamDecoder<Event>;
  createStreamEncoder(context: AnswerContext): StreamEncoder;

  /** @returns undefined if the body is not an error of this format. */
  decodeError(body: unknown): ApiError | undefined;
  /**
   * Encodes an error. The status is the error's own if it is an error status, otherwise the format's usual status for
   * the kind.
   */
  encodeError(error: ApiError): EncodedError<ErrorBody>;
}

/** The path of each format's endpoint, relative to the base address. */
export const ENDPOINT_PATHS = {
  'chat-completions': '/chat/completions',
  messages: '/messages',
  responses: '/responses',
} as const satisfies Record<FormatName, string>;
