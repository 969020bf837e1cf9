import type { ApiError } from './apiError.ts';
import type { ChatEvent, ChatRequest, ChatResponse, FormatName } from './conversation.ts';
import type { ServerSentEvent } from './serverSentEvents.ts';

/**
 * One event of a stream after its check against the format's schema. A bad event is a value: the stream goes on.
 * `done` is the format's own mark of the end, where it has one outside its events (`[DONE]`).
 */
export type StreamItem<Event> =
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'malformed'; readonly problem: string; readonly data: string }
  | { readonly type: 'done' };

/** Checks the events of one stream, with the same results as {@link WireFormat.parseEvent}; never throws. */
export interface EventParser<Event> {
  parse(event: ServerSentEvent): StreamItem<Event>;
  /**
   * What surrounds the text in the data of the event that was parsed last, if its text is all that it tells: with any
   * other text it is an event as good. `undefined` for any other event, and where that is not known.
   */
  textFrame?(): TextFrame | undefined;
}

/** Holds the state of one stream on its way from the wire to the neutral form. */
export interface StreamDecoder<Event> {
  push(item: StreamItem<Event>): ChatEvent[];
  /** Names of what came so far and has no place in the neutral form; as {@link ChatResponse.unread}. */
  readonly unread?: ReadonlySet<string>;
  /** The upstream closed. Yields an `error` of kind `network` when the answer had not finished. */
  end(): ChatEvent[];
}

/** What stands before and after a piece of text, which is a string of JSON in its quotes. */
export interface TextFrame {
  readonly before: string;
  readonly after: string;
}

/** Holds the state of one stream on its way from the neutral form to the wire. */
export interface StreamEncoder {
  push(event: ChatEvent): ServerSentEvent[];
  /** Names of what was pushed so far and has no place in the format; as {@link WireFormat.unwrittenAnswer}. */
  readonly unwritten?: ReadonlySet<string>;
  /**
   * What surrounds further text of this part, until another event is pushed: so it can be written without telling the
   * encoder of each piece. `undefined` when that is not so.
   */
  textFrame?(index: number): TextFrame | undefined;
  /** No event will follow. Yields what the format still owes its client: the closing events, or an error. */
  end(): ServerSentEvent[];
}

/** What an encoder needs to know of the request that the answer is for. */
export interface AnswerContext {
  /** The request in the neutral form; formats echo some of its members in their answers. */
  readonly request: ChatRequest;
  /** Seconds since the epoch. */
  readonly now: number;
  /** The size of the prompt in tokens, if there is an estimate: some formats name it before the answer begins. */
  readonly inputTokens?: number;
}

export interface EncodedError<Body> {
  readonly status: number;
  readonly body: Body;
}

/**
 * A way to spell requests, answers and streams as JSON. Stateless outside a stream; pure. What a format cannot
 * carry it drops knowingly: the list stands in each format's own comment and in `docs/formats.md`.
 *
 * `Request`, `Response` and `Event` are the wire's shapes as the format's schemas give them.
 */
export interface WireFormat<Request = unknown, Response = unknown, Event = unknown, ErrorBody = unknown> {
  readonly name: FormatName;
  /** Below the base address, such as `/chat/completions`. */
  readonly path: string;
  /** False where nobody behind it runs tools by himself; else hosted tools of the format's own go along. */
  readonly hasHostedTools?: false;

  /** @throws {FormatError} naming the invalid field. */
  decodeRequest(body: unknown): ChatRequest;
  encodeRequest(request: ChatRequest): Request;
  /** Names of what `encodeRequest` leaves out of this request, in the words that most formats have, each once. */
  unwritten(request: ChatRequest): readonly string[];

  /**
   * @param unnamedId the id of the answer where the service gives it none.
   * @throws {FormatError} naming the invalid field.
   */
  decodeResponse(body: unknown, unnamedId?: string): ChatResponse;
  encodeResponse(response: ChatResponse, context: AnswerContext): Response;
  /** Names of what `encodeResponse` leaves out of the answer to this request, each once. */
  unwrittenAnswer(response: ChatResponse, request: ChatRequest): readonly string[];

  /** Checks one event of a stream; never throws. */
  parseEvent(event: ServerSentEvent): StreamItem<Event>;
  /** For a whole stream: where a format has it, it is quicker than to look at each event by itself. */
  createEventParser?(): EventParser<Event>;
  /** @param unnamedId the id of the answer where the service gives it none. */
  createStreamDecoder(unnamedId?: string): StreamDecoder<Event>;
  createStreamEncoder(context: AnswerContext): StreamEncoder;

  /** `undefined` when the body is not an error of this format. */
  decodeError(body: unknown): ApiError | undefined;
  /** The status is the error's own when it has one that is an error, else the format's usual one for the kind. */
  encodeError(error: ApiError): EncodedError<ErrorBody>;
}
