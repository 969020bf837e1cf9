import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import { REFUSING_STATUSES } from '../../../formats/repairs/refusal.ts';
import { OTHER_REASONING } from '../../../formats/repairs/repair.ts';
import { modelName } from '../../core/modelName.ts';
import {
  type AnswerSink,
  CallHandle,
  type Endpoint,
  type Upstream,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../core/upstream.ts';
import { WrappedUpstream } from '../../core/wrappedUpstream.ts';
import type { ByteSink } from '../../http/byteSink.ts';
import { decompress } from '../../http/contentEncoding.ts';
import { encodingOf } from '../../http/headers.ts';
import type { UpstreamRefusals } from './refusalMemory.ts';
import { refusedInBody, repairedBody } from './repairedBody.ts';

/** Something that the gateway adds to requests, which the upstream may refuse. */
export interface Addition {
  readonly endpoints: readonly Endpoint[];
  /** Names by which a refusal is recognized. The first one is remembered. */
  readonly members: readonly [string, ...string[]];
  /** Whether it can be added to a body that is still arriving. */
  readonly addsToStreams: boolean;
  /** Whether it can be added to what a translation has written. */
  readonly addsToTranslated: boolean;
  add(request: UpstreamRequest): UpstreamRequest | undefined;
  /** Called when the upstream has accepted it. */
  accepted?(): void;
  /** Returns the sink for the answer to a request with the addition. */
  wrap?(sink: AnswerSink, request: UpstreamRequest): AnswerSink;
}

/** A request as it is sent. */
interface Written {
  readonly request: UpstreamRequest;
  readonly added: readonly Addition[];
  /** Names of the members that were removed or replaced, for the caller. */
  readonly lost: readonly string[];
}

const CALL_LIMIT = 'max_tool_calls';
const NONE: readonly never[] = [];

/**
 * Adds to requests what the gateway needs. If the upstream refuses that, or a member that translation has written, the
 * request is sent again without it, and so are all later ones for the same model.
 */
export class RepairingUpstream extends WrappedUpstream {
  readonly #additions: ReadonlyMap<Endpoint, readonly Addition[]>;
  readonly #toTranslated: ReadonlyMap<Endpoint, readonly Addition[]>;
  readonly #refusals: UpstreamRefusals;
  override readonly marksCache: boolean;
  override readonly reportsUsage: Upstream['reportsUsage'];

  constructor(inner: Upstream, additions: readonly Addition[], refusals: UpstreamRefusals) {
    super(inner);
    this.#additions = byEndpoint(additions);
    this.#toTranslated = byEndpoint(additions.filter(({ addsToTranslated }) => addsToTranslated));
    this.#refusals = refusals;
    this.marksCache = additions.some(({ members }) => members[0] === 'cache_control');
    const asksUsage = additions.some(({ members }) => members.some((member) => member === 'include_usage'));
    this.reportsUsage = asksUsage && inner.reportsUsage === 'onRequest' ? 'always' : inner.reportsUsage;
  }

  override takesBodyStream(endpoint: Endpoint): boolean {
    const additions = this.#additions.get(endpoint) ?? NONE;
    return additions.every(({ addsToStreams }) => addsToStreams) && super.takesBodyStream(endpoint);
  }

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const isOurs = request.isTranslated === true;
    const additions = (isOurs ? this.#toTranslated : this.#additions).get(request.endpoint);
    if (!isOurs && additions === undefined && request.unlimitedBody === undefined) {
      return this.inner.send(request, sink);
    }
    const model = this.#refusals.memory.hasSome ? modelOf(request) : undefined;
    const refused = model === undefined ? NONE : this.#refusals.of(model);
    const written = write(request, additions, refused);
    if (!isOurs && written.added.length === 0) return this.inner.send(written.request, sink);
    const writing: Writing = {
      write: (members, original) => write(original, additions, members),
      learn: (members) => this.#refusals.learn(model ?? modelOf(request) ?? '', members),
    };
    return new RepairedCall(this.inner, writing, { request, written, refused }, sink);
  }
}

function byEndpoint(additions: readonly Addition[]): ReadonlyMap<Endpoint, readonly Addition[]> {
  const endpoints = new Set(additions.flatMap((addition) => addition.endpoints));
  return new Map(
    [...endpoints].map((endpoint) => [endpoint, additions.filter((each) => each.endpoints.includes(endpoint))]),
  );
}

function write(
  original: UpstreamRequest,
  additions: readonly Addition[] | undefined,
  refused: readonly string[],
): Written {
  const added: Addition[] = [];
  let request = original;
  const { unlimitedBody } = original;
  if (unlimitedBody !== undefined) {
    if (refused.includes(CALL_LIMIT)) request = withBody(original, unlimitedBody);
    else added.push(LIMIT);
  }
  for (const addition of additions ?? NONE) {
    const more = refused.includes(addition.members[0]) ? undefined : addition.add(request);
    if (more === undefined) continue;
    request = more;
    added.push(addition);
  }
  if (request.isTranslated !== true || refused.length === 0) return { request, added, lost: NONE };
  return { ...repaired(request, refused), added };
}

/** The budget has added the limit before. */
const LIMIT: Addition = {
  endpoints: ['/responses'],
  members: [CALL_LIMIT],
  addsToStreams: false,
  addsToTranslated: true,
  add: (request) => request,
};

function repaired(request: UpstreamRequest, refused: readonly string[]): Omit<Written, 'added'> {
  const { bytes, lost } = repairedBody(request.body ?? Buffer.alloc(0), refused);
  return { request: bytes === undefined ? request : withBody(request, bytes), lost };
}

function withBody(request: UpstreamRequest, body: Buffer): UpstreamRequest {
  const { json: _, unlimitedBody: __, ...rest } = request;
  return { ...rest, body };
}

function modelOf({ body, streamedModel }: UpstreamRequest): string | undefined {
  return body === undefined ? streamedModel : modelName(body);
}

interface Writing {
  /** Writes a request without what is refused. */
  readonly write: (refused: readonly string[], original: UpstreamRequest) => Written;
  /** Called when the upstream has answered a request without these members, which it has refused before. */
  readonly learn: (members: readonly string[]) => void;
}

interface First {
  /** The request before anything was added. */
  readonly request: UpstreamRequest;
  readonly written: Written;
  /** The members that are known to be refused. */
  readonly refused: readonly string[];
}

/** Some servers name one refused member after the other. */
const MAX_ROUNDS = 3;
/** An answer begins with its reasoning, so it is searched for only in this many pieces, in the beginning of each. */
const WATCHED_CHUNKS = 8;
const WATCHED_BYTES = 8 * 1024;
const REASONING = Buffer.from('"reasoning');
/** What follows {@link REASONING} in a member with reasoning: the rest of its name, or a text. */
const AFTER_REASONING = /^(?:(_content")|": ?")/;
const LOOKED_AT = 9;
const MAX_REFUSAL_BYTES = 1024 * 1024;

/**
 * Sends a request, and if the upstream refuses members that the gateway has written, sends it again without them. What
 * was refused is learned only from a request that succeeds without it: a caller can have any name quoted in a refusal,
 * and must not change for others what is sent.
 */
class RepairedCall extends CallHandle implements AnswerSink {
  /** The sink of an answer that is not searched any more. */
  direct: ByteSink | undefined;
  readonly #upstream: Upstream;
  readonly #writing: Writing;
  readonly #sink: AnswerSink;
  readonly #known: readonly string[];
  #original: UpstreamRequest;
  #written: Written;
  #answer: AnswerSink;
  #rounds = 0;
  /** How many further pieces of the answer are searched for reasoning. */
  #chunksToWatch = 0;
  #refused: readonly string[] = [];
  #refusal: { readonly status: number; readonly headers: OutgoingHttpHeaders; readonly body: Buffer[] } | undefined;

  constructor(upstream: Upstream, writing: Writing, { request, written, refused }: First, sink: AnswerSink) {
    super();
    this.#upstream = upstream;
    this.#writing = writing;
    this.#sink = sink;
    this.#known = refused;
    this.#original = request;
    this.#written = written;
    this.#answer = sink;
    this.#send(written);
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (REFUSING_STATUSES.has(status) && this.#rounds < MAX_ROUNDS) {
      this.#refusal = { status, headers, body: [] };
      return;
    }
    if (status < 300) this.#succeeded();
    this.#answer.start(status, headers);
    if (this.#chunksToWatch === 0) this.direct = this.#answer;
  }

  data(chunk: Buffer): boolean {
    if (this.#chunksToWatch > 0) this.#watch(chunk);
    if (this.#refusal === undefined) return this.#answer.data(chunk);
    this.#refusal.body.push(chunk);
    return true;
  }

  end(): void {
    if (this.#refusal === undefined) this.#answer.end();
    else this.#endRefusal();
  }

  /** Remembers under which name the upstream sends reasoning, so that it gets its reasoning back under this name. */
  #watch(chunk: Buffer): void {
    this.#chunksToWatch -= 1;
    const name = reasoningMember(chunk.subarray(0, WATCHED_BYTES));
    if (name !== undefined) this.#chunksToWatch = 0;
    if (name === 'reasoning') this.#writing.learn([OTHER_REASONING]);
    if (this.#chunksToWatch === 0) this.direct = this.#answer;
  }

  fail(error: ApiError): void {
    this.#answer.fail(error);
  }

  used(count: Parameters<NonNullable<AnswerSink['used']>>[0]): void {
    this.#answer.used?.(count);
  }

  #succeeded(): void {
    const { isTranslated, endpoint } = this.#original;
    const isWatching = isTranslated === true && endpoint === '/chat/completions';
    if (isWatching && !this.#known.includes(OTHER_REASONING)) this.#chunksToWatch = WATCHED_CHUNKS;
    for (const addition of this.#written.added) addition.accepted?.();
    if (this.#refused.length > 0) this.#writing.learn(this.#refused);
    if (this.#written.lost.length > 0) this.#sink.dropped?.(this.#written.lost);
  }

  #send(written: Written): void {
    const { request, added } = written;
    this.#written = written;
    this.#answer = added.reduce((sink, addition) => addition.wrap?.(sink, request) ?? sink, this.#sink);
    const rounds = this.#rounds;
    const call = this.#upstream.send(request, this);
    // `send` may have answered with a refusal synchronously, and the next request was already sent.
    if (this.#rounds === rounds) this.call = call;
  }

  #endRefusal(): void {
    const { status, headers, body } = this.#refusal ?? { status: 0, headers: {}, body: [] };
    const refusal = Buffer.concat(body);
    const members = this.#newlyRefused(readable(refusal, headers));
    this.#refusal = undefined;
    if (members.length > 0 && !this.isCanceled && this.#canSendAgain()) {
      this.#refused = [...this.#refused, ...members];
      this.#rounds += 1;
      this.call = undefined;
      this.#send(this.#writing.write([...this.#known, ...this.#refused], this.#original));
      return;
    }
    this.#answer.start(status, headers);
    this.#answer.data(refusal);
    this.#answer.end();
  }

  #newlyRefused(refusal: string): readonly string[] {
    const { request, added } = this.#written;
    // Without an addition, the request is the caller's own, so any mention of it is a reason to try that.
    const ofAdditions = added
      .filter(({ members }) => members.some((member) => refusal.includes(member)))
      .map(({ members: [member] }) => member);
    if (request.isTranslated !== true) return ofAdditions;
    const ofBody = refusedInBody(refusal, request.body ?? Buffer.alloc(0));
    return [...ofAdditions, ...ofBody].filter((member) => !this.#refused.includes(member));
  }

  /** A body that was streamed through must be complete by now. */
  #canSendAgain(): boolean {
    const { bodyStream, ...request } = this.#original;
    if (bodyStream === undefined) return true;
    if (bodyStream.whole === undefined) return false;
    this.#original = { ...request, body: bodyStream.whole };
    return true;
  }
}

/** Returns the name under which events have reasoning, if they have any. Some servers send it under both. */
function reasoningMember(events: Buffer): 'reasoning' | 'reasoning_content' | undefined {
  let found: 'reasoning' | undefined;
  for (let at = events.indexOf(REASONING); at !== -1; at = events.indexOf(REASONING, at + 1)) {
    const from = at + REASONING.length;
    const match = AFTER_REASONING.exec(events.toString('latin1', from, from + LOOKED_AT));
    if (match?.[1] !== undefined) return 'reasoning_content';
    if (match !== null) found = 'reasoning';
  }
  return found;
}

function readable(body: Buffer, headers: OutgoingHttpHeaders): string {
  return decompress(body, encodingOf(headers), MAX_REFUSAL_BYTES)?.toString() ?? '';
}
