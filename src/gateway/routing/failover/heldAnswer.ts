import type { ApiError } from '../../../formats/apiError.ts';
import type { FormatName } from '../../../formats/conversation.ts';
import { errorSentence } from '../../../formats/errorSentence.ts';
import { isRecord, type JsonRecord } from '../../../formats/json.ts';
import { type ServerSentEvent, ServerSentEventDecoder } from '../../../formats/serverSentEvents.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { BilledFailure } from '../../../ledger/upstreamAttempt.ts';
import { ByteList } from '../../http/byteList.ts';
import { withoutUnnamed } from '../../http/contentEncoding.ts';
import { endOfFirstEvent } from '../../http/eventBounds.ts';
import { parseJsonBody, shortObject } from '../../http/jsonBody.ts';
import { QuotedWord } from '../../http/wordSearch.ts';
import { bodyKind, type EventKind, eventKind } from './eventKind.ts';
import { type Failure, failureOfEvent, failureWithoutAnswer } from './failure.ts';

/** Longer bodies cannot be one of the short errors that some servers send with status 200. */
const MAX_BODY_BYTES = 256 * 1024;

const ERROR = new QuotedWord('error');
const NO_ERROR = /^"error"\s*:\s*null\b/;
const MAX_NO_ERROR_LENGTH = 32;
/** Members that every answer has and no error has. */
const ANSWERS: Readonly<Record<FormatName, readonly QuotedWord[]>> = {
  'chat-completions': [new QuotedWord('choices'), new QuotedWord('message')],
  messages: [new QuotedWord('content')],
  responses: [new QuotedWord('output')],
};
const LISTS: Readonly<Record<FormatName, string>> = {
  'chat-completions': 'choices',
  messages: 'content',
  responses: 'output',
};
/** Some servers send streams with another content type. */
const EVENT_STREAM = /^\s*(?:event|data|id|:)/;
const LOOKED_AT = 16;
/** The first byte of what is compressed with gzip, with which neither JSON nor a stream begins. */
export const GZIP_BEGINNING = 0x1f;
const OPENING_BRACE = '{'.charCodeAt(0);

/** Holds back an answer that is not a stream until it is known whether it is an error. */
export class HeldBody {
  readonly #format: WireFormat;
  readonly #maxBytes: number;
  readonly held = new ByteList();

  /** @param format the upstream's format. */
  constructor(format: WireFormat, maxBytes = MAX_BODY_BYTES) {
    this.#format = format;
    this.#maxBytes = maxBytes;
  }

  /** @returns false if the answer is too long to be held. */
  add(chunk: Buffer): boolean {
    this.held.add(chunk);
    return this.held.length <= this.#maxBytes;
  }

  /** Some servers compress an answer without naming it. */
  decompress(maxBytes: number): void {
    const plain = withoutUnnamed(this.held.concat(), maxBytes);
    this.held.clear();
    this.held.add(plain);
  }

  /** @param asksReason whether the reason of an answer without output matters. */
  kind(asksReason: boolean): Exclude<EventKind, 'preamble'> {
    const bytes = this.held.concat();
    const { name } = this.#format;
    const short = shortObject(bytes);
    if (!asksReason && (short === undefined ? isSurelyAnswer(name, bytes) : isAnswer(name, short))) return 'output';
    if (short === undefined && beginsStream(bytes)) return this.#kindOfEvents(bytes);
    return bodyKind(name, short ?? parseJsonBody(bytes)) ?? 'output';
  }

  /**
   * Returns the failure for an answer that is an error, which costs something only if it reports usage.
   * @param billed the reported usage.
   */
  failure(billed: BilledFailure): Failure {
    const parsed = parseJsonBody(this.held.concat());
    // Gemini sends a list of one error.
    const body: unknown = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
    const error = body === undefined ? undefined : (this.#format.decodeError(body) ?? otherError(body));
    return error === undefined
      ? failureWithoutAnswer("The upstream's response is not a valid answer.", billed)
      : failureOfEvent(error, this.#format, billed.usage === undefined ? undefined : billed);
  }

  #kindOfEvents(bytes: Buffer): Exclude<EventKind, 'preamble'> {
    const stream = new HeldStream(this.#format);
    const kind = stream.add(bytes) ?? stream.end();
    return kind === 'preamble' ? 'error' : kind;
  }
}

/** Whether the bytes start like JSON, which no event stream does. */
export function beginsJson(bytes: Buffer): boolean {
  return /^\s*[{[]/.test(bytes.toString('latin1', 0, LOOKED_AT));
}

/** Whether the bytes start like an event stream, independently of the headers. */
export function beginsStream(bytes: Buffer): boolean {
  return bytes[0] !== OPENING_BRACE && EVENT_STREAM.test(bytes.toString('latin1', 0, LOOKED_AT));
}

function isAnswer(format: FormatName, { error, type, status, [LISTS[format]]: list }: JsonRecord): boolean {
  const hasFailed = (error !== undefined && error !== null) || type === 'error' || status === 'failed';
  return !hasFailed && Array.isArray(list) && list.length > 0;
}

/** Searches without parsing. An answer whose text mentions an error is not certain and must be parsed. */
function isSurelyAnswer(format: FormatName, bytes: Buffer): boolean {
  if (ANSWERS[format].some((word) => word.indexIn(bytes) === -1)) return false;
  const at = ERROR.indexIn(bytes);
  if (at === -1) return true;
  const isNull = NO_ERROR.test(bytes.toString('latin1', at, at + MAX_NO_ERROR_LENGTH));
  return isNull && ERROR.indexIn(bytes, at + 1) === -1;
}

/** Reads an error in a shape of its own. */
function otherError(body: unknown): ApiError | undefined {
  const message = isRecord(body) && !Array.isArray(body.choices) ? errorSentence(body) : undefined;
  return message === undefined ? undefined : { kind: 'server', message };
}

const MAX_EVENTS = 64;
/** Beside events, some servers send a comment each second. */
const MAX_BLOCKS = 512;
/** What has arrived of an event is searched with each chunk. */
const MAX_CHUNKS = 2048;
const MAX_STREAM_BYTES = 256 * 1024;
const SIGNS_OF_LIFE: ReadonlySet<string> = new Set(['ping', 'keepalive']);
/** Separator of events that few servers use. */
const BLANK_LINE_OF_RETURNS = '\r\r';

/** Holds back the beginning of a stream until it is known whether the upstream answers. */
export class HeldStream {
  readonly #format: WireFormat;
  readonly #chunks = new ByteList();
  readonly #events: ServerSentEvent[] = [];
  /** Number of blocks that were read: events, comments, and blocks without data. */
  #blocks = 0;
  #chunkCount = 0;
  #rest: Buffer = Buffer.alloc(0);
  #bytes = 0;

  /** @param format the upstream's format. */
  constructor(format: WireFormat) {
    this.#format = format;
  }

  get isEmpty(): boolean {
    return this.#chunkCount === 0;
  }

  get chunks(): readonly Buffer[] {
    return this.#chunks.pieces;
  }

  /**
   * @returns the kind of the first event that is not a preamble, or `output` if the stream is too long to be held.
   *   Later events are not read.
   */
  add(chunk: Buffer): Exclude<EventKind, 'preamble'> | undefined {
    this.#chunks.add(chunk);
    this.#chunkCount += 1;
    this.#bytes += chunk.length;
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (let end = this.#endOfEvent(); end !== -1; end = this.#endOfEvent()) {
      const kind = this.#read(this.#rest.subarray(0, end));
      this.#rest = this.#rest.subarray(end);
      if (kind !== 'preamble') return kind;
      if (this.#isTooLong) return 'output';
    }
    return this.#isTooLong ? 'output' : undefined;
  }

  get #isTooLong(): boolean {
    if (this.#events.length >= MAX_EVENTS || this.#blocks >= MAX_BLOCKS) return true;
    return this.#bytes > MAX_STREAM_BYTES || this.#chunkCount >= MAX_CHUNKS;
  }

  /**
   * Called when the upstream has closed the stream.
   * @returns the kind of the last event if its blank line is missing.
   */
  end(): EventKind {
    return this.#rest.length === 0 ? 'preamble' : this.#read(Buffer.concat([this.#rest, Buffer.from('\n\n')]));
  }

  get error(): ApiError | undefined {
    const decoder = this.#format.createStreamDecoder();
    const events = this.#events.flatMap((event) => decoder.push(this.#format.parseEvent(event)));
    return events.find((event) => event.type === 'error')?.error;
  }

  /** Whether the answer had started before the last event. */
  get hasBegun(): boolean {
    return this.#events.slice(0, -1).some(({ event = '' }) => !SIGNS_OF_LIFE.has(event));
  }

  #endOfEvent(): number {
    const end = endOfFirstEvent(this.#rest);
    if (end !== -1) return end;
    const returns = this.#rest.indexOf(BLANK_LINE_OF_RETURNS);
    return returns === -1 ? -1 : returns + BLANK_LINE_OF_RETURNS.length;
  }

  /** Comments only keep the connection alive. */
  #read(bytes: Buffer): EventKind {
    this.#blocks += 1;
    const event = usualEvent(bytes) ?? new ServerSentEventDecoder().push(bytes)[0];
    if (event === undefined) return 'preamble';
    this.#events.push(event);
    return eventKind(this.#format.name, event);
  }
}

/** An event as almost all servers write it. Creating a decoder takes longer than reading it. */
const COMMON_EVENT = /^(?:event: ([^\r\n]+)\n)?data: ([^\r\n]*)\n\n$/;

function usualEvent(bytes: Buffer): ServerSentEvent | undefined {
  const [, event, data] = COMMON_EVENT.exec(bytes.toString()) ?? [];
  if (data === undefined) return undefined;
  return event === undefined ? { data } : { event, data };
}
