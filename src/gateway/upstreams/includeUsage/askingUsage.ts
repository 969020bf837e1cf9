import { Transform, type TransformCallback } from 'node:stream';
import { isRecord, parseJson } from '../../../formats/json.ts';
import type { AnswerSink, Endpoint, SizedBody, UpstreamRequest } from '../../core/upstream.ts';
import { shortObject } from '../../http/jsonBody.ts';
import { ObjectScanner } from '../../http/objectScanner.ts';
import { WordSearch } from '../../http/wordSearch.ts';
import { spliced } from '../bodyEdits.ts';
import type { AddedMember } from '../repairs/experiments.ts';
import { UsageSink } from './usageSink.ts';

/** The option of a chat-completions request that makes its stream report the usage at its end. */
const OPTIONS = 'stream_options';
const WANTED: ReadonlySet<string> = new Set(['stream', OPTIONS]);
/** The last member of a request without such options. */
const LAST_MEMBER = `,"${OPTIONS}":{"include_usage":true}`;

/**
 * Asks chat-completions streams for their usage on behalf of callers who do not ask for it, and hides it from them. A
 * streamed body may be impossible to send again without the option, so bodies are not streamed until the upstream has
 * accepted it.
 */
export class AskingUsage implements AddedMember {
  readonly endpoints: readonly Endpoint[] = ['/chat/completions', '/completions'];
  readonly members = [OPTIONS, 'include_usage'] as const;
  /** Translation asks for the usage itself, and reads it. */
  readonly addsToTranslated = false;
  #isAccepted = false;

  get addsToStreams(): boolean {
    return this.#isAccepted;
  }

  add(request: UpstreamRequest): UpstreamRequest | undefined {
    const { body, bodyStream } = request;
    if (bodyStream !== undefined) return { ...request, bodyStream: new LongBodyAsking(bodyStream) };
    const asked = body && withUsageAsked(body);
    if (asked === undefined) return undefined;
    // The parsed body lacks the option.
    const { json: _, ...rest } = request;
    return { ...rest, body: asked };
  }

  accepted(): void {
    this.#isAccepted = true;
  }

  wrap(sink: AnswerSink, { bodyStream }: UpstreamRequest): UsageSink {
    return new UsageSink(sink, () => hasAsked(bodyStream));
  }
}

/** Of a body that is still arriving, this is known once it was sent. */
function hasAsked(body: SizedBody | undefined): boolean {
  return !(body instanceof LongBodyAsking) || body.hasAsked;
}

const SPACES = ' '.repeat(LAST_MEMBER.length);

/**
 * Passes a body on while it arrives, and inserts the option before its closing brace if it asks for a stream and has no
 * such options. Its length must be announced before this is known, so spaces are inserted if the option is not.
 */
export class LongBodyAsking extends Transform implements SizedBody {
  readonly length: number;
  readonly #source: SizedBody;
  readonly #scanner = new ObjectScanner(WANTED);
  #passed = 0;
  #hasAsked = false;

  constructor(source: SizedBody) {
    super();
    this.#source = source;
    this.length = source.length + LAST_MEMBER.length;
    source.on('error', (error) => this.destroy(error));
    source.pipe(this);
  }

  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#scanner.closedAt !== undefined) {
      done(null, chunk);
      return;
    }
    this.#scanner.push(chunk);
    const { closedAt } = this.#scanner;
    if (closedAt === undefined) {
      this.#passed += chunk.length;
      done(null, chunk);
      return;
    }
    const at = closedAt - this.#passed;
    done(null, spliced(chunk, at, at, this.#addition()));
  }

  /** For a body without a closing brace, which is not JSON. The announced length must still be correct. */
  override _flush(done: TransformCallback): void {
    done(null, this.#scanner.closedAt === undefined ? SPACES : null);
  }

  override _destroy(reason: Error | null, done: (error?: Error | null) => void): void {
    this.#source.unpipe(this);
    this.#source.destroy();
    done(reason);
  }

  #addition(): string {
    const { members, values } = this.#scanner;
    this.#hasAsked = values.get('stream') === 'true' && !members.some(({ name }) => name === OPTIONS);
    return this.#hasAsked ? LAST_MEMBER : SPACES;
  }
}

const STREAM = new WordSearch('"stream"');
const NAMED_OPTIONS = new WordSearch(`"${OPTIONS}"`);
/** For shorter requests, reading all members takes no noticeable time. In bytes. */
const LONG = 16 * 1024;
/** How much is read at each end of a long request, in bytes. */
const END_BYTES = 2 * 1024;
const OPENING_BRACE = Buffer.from('{');
/** After the name, or more white space than is looked at. */
const IS_TRUE = /^\s*:?\s*(?:true|$)/;
const LOOKED_AT = 16;

/**
 * Adds the option to the request, leaving all other bytes unchanged. Returns `undefined` if the request has the option,
 * is not streamed, or names its options ambiguously.
 */
export function withUsageAsked(body: Buffer): Buffer | undefined {
  const short = shortObject(body);
  if (short === undefined) {
    const named = streamNamedIn(body);
    if (!named.mayBeTrue) return undefined;
    const end = endOfLongStream(body, named);
    if (end !== undefined) return spliced(body, end, end, LAST_MEMBER);
  } else if (short.stream !== true) return undefined;
  const scanner = new ObjectScanner(WANTED);
  scanner.push(body);
  const { closedAt, members, values } = scanner;
  if (closedAt === undefined || values.get('stream') !== 'true') return undefined;
  const [options, ...others] = members.filter(({ name }) => name === OPTIONS);
  if (others.length > 0) return undefined;
  if (options === undefined) return spliced(body, closedAt, closedAt, LAST_MEMBER);
  const wanted = optionsWithUsage(values.get(OPTIONS) ?? '');
  return wanted === undefined ? undefined : spliced(body, options.start, options.end, wanted);
}

interface NamedStream {
  /** How often the name occurs. Not counted beyond two. */
  readonly count: number;
  readonly start: number;
  /** Whether `true` follows at one of these places. */
  readonly mayBeTrue: boolean;
}

/** Finds where the request may say that it is streamed. */
function streamNamedIn(body: Buffer): NamedStream {
  let [count, start, mayBeTrue] = [0, 0, false];
  STREAM.isIn(body, (found, end) => {
    [count, start] = [count + 1, found];
    mayBeTrue ||= IS_TRUE.test(body.toString('latin1', end, end + LOOKED_AT));
    return count > 1 && mayBeTrue;
  });
  return { count, start, mayBeTrue };
}

/**
 * Returns the position of the closing brace of a long request if one of its ends shows that it is streamed and it
 * contains no such options. Skips the part in between, because reading it takes milliseconds per megabyte.
 */
function endOfLongStream(bytes: Buffer, { count, start }: NamedStream): number | undefined {
  if (bytes.length < LONG || count !== 1 || NAMED_OPTIONS.indexIn(bytes) !== -1) return undefined;
  const close = bytes.lastIndexOf('}');
  const isClear = bytes.toString('latin1', close + 1).trim() === '';
  return isClear && (startsStream(bytes) || endsStream(bytes, start, close)) ? close : undefined;
}

function startsStream(bytes: Buffer): boolean {
  const scanner = new ObjectScanner(WANTED);
  scanner.push(bytes.subarray(0, END_BYTES));
  return scanner.values.get('stream') === 'true';
}

/** Whether the bytes from `start` are the last members of the request: their object closes only at its end. */
function endsStream(bytes: Buffer, start: number, close: number): boolean {
  if (close - start > END_BYTES) return false;
  const scanner = new ObjectScanner(WANTED);
  scanner.push(Buffer.concat([OPENING_BRACE, bytes.subarray(start, close + 1)]));
  return scanner.closedAt === close - start + OPENING_BRACE.length && scanner.values.get('stream') === 'true';
}

function optionsWithUsage(json: string): string | undefined {
  const options = parseJson(json);
  if (options === null) return '{"include_usage":true}';
  if (!isRecord(options) || options.include_usage === true) return undefined;
  return JSON.stringify({ ...options, include_usage: true });
}
