import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import { OTHER_REASONING } from '../../../formats/repairs/messageForms.ts';
import { CallHandle, internalError } from '../../core/callHandle.ts';
import { modelName } from '../../core/modelName.ts';
import {
  type AnswerSink,
  type Endpoint,
  repeatable,
  type Upstream,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../core/upstream.ts';
import { WrappedUpstream } from '../../core/wrappedUpstream.ts';
import type { ByteSink } from '../../http/byteSink.ts';
import {
  type AddedMember,
  type ChangeSets,
  Experiments,
  FAULT,
  REFUSALS,
  type RefusedAnswer,
  type Writing,
  type WrittenRequest,
} from './experiments.ts';
import type { UpstreamRefusals } from './refusalMemory.ts';
import { repairedBody } from './repairedBody.ts';

const NONE: readonly never[] = [];

/**
 * Adds to requests what the gateway needs. If the upstream refuses that, or a request that translation has written, the
 * request is sent again in another form, and so are all later ones for the same model.
 */
export class RepairingUpstream extends WrappedUpstream {
  readonly #additions: ReadonlyMap<Endpoint, readonly AddedMember[]>;
  readonly #toTranslated: ReadonlyMap<Endpoint, readonly AddedMember[]>;
  readonly #refusals: UpstreamRefusals;
  override readonly marksCache: boolean;
  override readonly reportsUsage: Upstream['reportsUsage'];

  constructor(inner: Upstream, additions: readonly AddedMember[], refusals: UpstreamRefusals) {
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
    if (!isOurs && additions === undefined && request.addedLimit === undefined) {
      return this.inner.send(request, sink);
    }
    const model = this.#refusals.memory.hasSome ? modelOf(request) : undefined;
    const known = model === undefined ? NONE : this.#refusals.of(model);
    const written = write(request, additions, known);
    if (!isOurs && written.added.length === 0) return this.inner.send(written.request, sink);
    const writing: Writing = {
      knownModel: async () => (await loadKnownModel()).knownModel(this.inner, request, model ?? modelOf(request)),
      write: (sets, original) => write(original, additions, sets),
      learn: (sets) => this.#refusals.learn(model ?? modelOf(request) ?? '', sets),
      isUnhelped: (shape) => this.#refusals.isUnhelped(model ?? modelOf(request) ?? '', shape),
      learnUnhelped: (shapes) => this.#refusals.learnUnhelped(model ?? modelOf(request) ?? '', shapes),
    };
    return new RepairedCall(this.inner, writing, { request, written, known }, sink);
  }
}

const loadKnownModel = () => import('./knownModel.ts');

function byEndpoint(additions: readonly AddedMember[]): ReadonlyMap<Endpoint, readonly AddedMember[]> {
  const endpoints = new Set(additions.flatMap((addition) => addition.endpoints));
  return new Map(
    [...endpoints].map((endpoint) => [endpoint, additions.filter((each) => each.endpoints.includes(endpoint))]),
  );
}

function write(
  original: UpstreamRequest,
  additions: readonly AddedMember[] | undefined,
  sets: ChangeSets,
): WrittenRequest {
  const added: AddedMember[] = [];
  const isRefused = (member: string) => sets.some((changes) => changes.includes(member));
  let request = original;
  const { addedLimit } = original;
  if (addedLimit !== undefined) {
    if (sets.length > 0 && isRefused(addedLimit.member)) request = withBody(original, addedLimit.otherwise);
    else added.push({ ...OF_BUDGET, members: [addedLimit.member] });
  }
  for (const addition of additions ?? NONE) {
    const more = sets.length > 0 && isRefused(addition.members[0]) ? undefined : addition.add(request);
    if (more === undefined) continue;
    request = more;
    added.push(addition);
  }
  if (request.isTranslated !== true || sets.length === 0) return { request, added, lost: NONE };
  return { ...repaired(request, sets), added };
}

/** A budget has added its limit before. */
const OF_BUDGET: Omit<AddedMember, 'members'> = {
  endpoints: [],
  addsToStreams: false,
  addsToTranslated: true,
  add: (request) => request,
};

function repaired(request: UpstreamRequest, sets: ChangeSets): Omit<WrittenRequest, 'added'> {
  const { bytes, lost } = repairedBody(request.body ?? Buffer.alloc(0), sets);
  return { request: bytes === undefined ? request : withBody(request, bytes), lost };
}

function withBody(request: UpstreamRequest, body: Buffer): UpstreamRequest {
  const { json: _, addedLimit: __, ...rest } = request;
  return { ...rest, body };
}

function modelOf({ body, streamedModel }: UpstreamRequest): string | undefined {
  return body === undefined ? streamedModel : modelName(body);
}

interface FirstRequest {
  /** The request before anything was added. */
  readonly request: UpstreamRequest;
  readonly written: WrittenRequest;
  /** The changes that are known to help. */
  readonly known: ChangeSets;
}

/** An answer begins with its reasoning, so it is searched for only in this many pieces, in the beginning of each. */
const WATCHED_CHUNKS = 8;
const WATCHED_BYTES = 8 * 1024;
const REASONING = Buffer.from('"reasoning');
/** What follows {@link REASONING} in a member with reasoning: the rest of its name, or a text. */
const AFTER_REASONING = /^(?:(_content")|": ?")/;
const LOOKED_AT = 9;

/**
 * Sends a request, and if the upstream refuses what the gateway has written, sends it again in another form. What helps
 * is learned only from a request that succeeds: a caller can have any name quoted in a refusal, and must not change for
 * others what is sent.
 */
class RepairedCall extends CallHandle implements AnswerSink {
  /** The sink of an answer that is not searched any more. */
  direct: ByteSink | undefined;
  readonly #upstream: Upstream;
  readonly #writing: Writing;
  readonly #sink: AnswerSink;
  readonly #known: ChangeSets;
  #original: UpstreamRequest;
  #written: WrittenRequest;
  #answer: AnswerSink;
  /** How many further pieces of the answer are searched for reasoning. */
  #chunksToWatch = 0;
  /** How often the request was sent. */
  #sent = 0;
  #experiments: Experiments | undefined;
  #refusal: RefusedAnswer | undefined;

  constructor(upstream: Upstream, writing: Writing, { request, written, known }: FirstRequest, sink: AnswerSink) {
    super();
    this.#upstream = upstream;
    this.#writing = writing;
    this.#sink = sink;
    this.#known = known;
    this.#original = request;
    this.#written = written;
    this.#answer = sink;
    this.#send(written);
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (REFUSALS.has(status) || (status === FAULT && this.#original.isTranslated === true)) {
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
    if (name === 'reasoning') this.#writing.learn([[OTHER_REASONING]]);
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
    if (isWatching && !this.#known.some(([change]) => change === OTHER_REASONING)) this.#chunksToWatch = WATCHED_CHUNKS;
    for (const addition of this.#written.added) addition.accepted?.();
    this.#experiments?.succeeded();
    if (this.#written.lost.length > 0) this.#sink.dropped?.(this.#written.lost);
  }

  #send(written: WrittenRequest): void {
    const { request, added } = written;
    this.#written = written;
    this.#answer = added.reduce((sink, addition) => addition.wrap?.(sink, request) ?? sink, this.#sink);
    this.#sent += 1;
    const sent = this.#sent;
    const call = this.#upstream.send(request, this);
    // `send` may have answered with a refusal synchronously, and the next request was already sent.
    if (this.#sent === sent) this.call = call;
  }

  #endRefusal(): void {
    const refusal = this.#refusal ?? { status: 0, headers: {}, body: [] };
    this.#refusal = undefined;
    this.#experiments ??= new Experiments(this.#writing, this.#original, this.#written);
    const next = this.#experiments.next(refusal, this.#written);
    if (!(next instanceof Promise)) this.#goOn(refusal, next);
    else
      next.then(
        (changes) => this.#goOn(refusal, changes),
        (error: unknown) => this.#answer.fail(internalError(error)),
      );
  }

  #goOn(refusal: RefusedAnswer, changes: ChangeSets | undefined): void {
    if (this.isCanceled) return;
    if (changes !== undefined && this.#canSendAgain()) {
      this.call = undefined;
      this.#send(this.#writing.write([...this.#known, ...changes], this.#original));
      return;
    }
    const { status, headers, body } = this.#experiments?.given(refusal) ?? refusal;
    this.#answer.start(status, headers);
    this.#answer.data(Buffer.concat(body));
    this.#answer.end();
  }

  /** A body that was streamed through must be complete by now. */
  #canSendAgain(): boolean {
    const again = repeatable(this.#original);
    this.#original = again ?? this.#original;
    return again !== undefined;
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
