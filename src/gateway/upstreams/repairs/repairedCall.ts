import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import {
  type Attempts,
  learnedFrom,
  MAX_EXPERIMENTS,
  NO_ATTEMPTS,
  nextAttempt,
  shapeOf,
} from '../../../formats/repairs/experiment.ts';
import { OTHER_REASONING } from '../../../formats/repairs/messageForms.ts';
import type { JsonObject } from '../../../formats/repairs/simplification.ts';
import {
  type AnswerSink,
  CallHandle,
  type Endpoint,
  type Upstream,
  type UpstreamRequest,
} from '../../core/upstream.ts';
import type { ByteSink } from '../../http/byteSink.ts';
import { decompress } from '../../http/contentEncoding.ts';
import { encodingOf } from '../../http/headers.ts';
import { parsedBody } from './repairedBody.ts';

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
export interface Written {
  readonly request: UpstreamRequest;
  readonly added: readonly Addition[];
  /** Names of the members that were removed or replaced, for the caller. */
  readonly lost: readonly string[];
}

/** Sets of changes; see `repairedBody`. */
export type ChangeSets = readonly (readonly string[])[];

export interface Writing {
  /** Writes a request with these changes. */
  readonly write: (sets: ChangeSets, original: UpstreamRequest) => Written;
  /** Called when the upstream has accepted a request with changes, which it has refused without them. */
  readonly learn: (sets: ChangeSets) => void;
  /** Whether no change has helped requests of this shape lately. */
  readonly isUnhelped: (shape: string) => boolean;
  readonly learnUnhelped: (shapes: readonly string[]) => void;
}

export interface FirstRequest {
  /** The request before anything was added. */
  readonly request: UpstreamRequest;
  readonly written: Written;
  /** The changes that are known to help. */
  readonly known: ChangeSets;
}

/** Statuses with which servers refuse the form of a request. The last one only if its words say so. */
const REFUSALS: ReadonlySet<number> = new Set([400, 422]);
const FAULT = 500;
/** An answer begins with its reasoning, so it is searched for only in this many pieces, in the beginning of each. */
const WATCHED_CHUNKS = 8;
const WATCHED_BYTES = 8 * 1024;
const REASONING = Buffer.from('"reasoning');
/** What follows {@link REASONING} in a member with reasoning: the rest of its name, or a text. */
const AFTER_REASONING = /^(?:(_content")|": ?")/;
const LOOKED_AT = 9;
const MAX_REFUSAL_BYTES = 1024 * 1024;

interface RefusedAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer[];
}

/**
 * Sends a request, and if the upstream refuses what the gateway has written, sends it again in another form. What helps
 * is learned only from a request that succeeds: a caller can have any name quoted in a refusal, and must not change for
 * others what is sent.
 */
export class RepairedCall extends CallHandle implements AnswerSink {
  /** The sink of an answer that is not searched any more. */
  direct: ByteSink | undefined;
  readonly #upstream: Upstream;
  readonly #writing: Writing;
  readonly #sink: AnswerSink;
  readonly #known: ChangeSets;
  readonly #first: Written;
  #original: UpstreamRequest;
  #written: Written;
  #answer: AnswerSink;
  /** How many further pieces of the answer are searched for reasoning. */
  #chunksToWatch = 0;
  #attempts: Attempts = NO_ATTEMPTS;
  /** The shapes of what was tried, for the case that nothing helps. */
  readonly #tried = new Set<string>();
  #refusal: RefusedAnswer | undefined;
  /** The refusal of the request as its words were followed, before anything else was tried. */
  #clearest: RefusedAnswer | undefined;

  constructor(upstream: Upstream, writing: Writing, { request, written, known }: FirstRequest, sink: AnswerSink) {
    super();
    this.#upstream = upstream;
    this.#writing = writing;
    this.#sink = sink;
    this.#known = known;
    this.#first = written;
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
    const learned = learnedFrom(this.#attempts);
    if (learned.length > 0) this.#writing.learn(learned);
    if (this.#written.lost.length > 0) this.#sink.dropped?.(this.#written.lost);
  }

  #send(written: Written): void {
    const { request, added } = written;
    this.#written = written;
    this.#answer = added.reduce((sink, addition) => addition.wrap?.(sink, request) ?? sink, this.#sink);
    const { rounds } = this.#attempts;
    const call = this.#upstream.send(request, this);
    // `send` may have answered with a refusal synchronously, and the next request was already sent.
    if (this.#attempts.rounds === rounds) this.call = call;
  }

  #endRefusal(): void {
    const refusal = this.#refusal ?? { status: 0, headers: {}, body: [] };
    this.#refusal = undefined;
    const next = this.#next(refusal);
    if (next !== undefined && !this.isCanceled && this.#canSendAgain()) {
      this.#clearest = next.guessed.length === 0 ? undefined : (this.#clearest ?? refusal);
      this.#attempts = next;
      this.call = undefined;
      this.#send(this.#writing.write([...this.#known, ...singly(next)], this.#original));
      return;
    }
    if (REFUSALS.has(refusal.status) && this.#tried.size > 0) this.#writing.learnUnhelped([...this.#tried]);
    const { status, headers, body } = this.#clearest ?? refusal;
    this.#answer.start(status, headers);
    this.#answer.data(Buffer.concat(body));
    this.#answer.end();
  }

  /** Returns what to try next. Undefined if nothing is left, or nothing has helped requests like this one lately. */
  #next({ status, headers, body }: RefusedAnswer): Attempts | undefined {
    if (this.#attempts.rounds >= MAX_EXPERIMENTS) return undefined;
    const answer = readable(Buffer.concat(body), headers);
    const { named, guessed, rounds } = this.#attempts;
    // Without an addition, the request is the caller's own, so any mention of it is a reason to try that.
    const ofAdditions = this.#written.added
      .filter(({ members }) => members.some((member) => answer.includes(member)))
      .map(({ members: [member] }) => member)
      .filter((member) => !named.includes(member));
    if (ofAdditions.length > 0) return { named: [...named, ...ofAdditions], guessed, rounds: rounds + 1 };
    if (this.#original.isTranslated !== true) return undefined;
    return this.#nextOfForm({ status, answer });
  }

  #nextOfForm(refusal: { readonly status: number; readonly answer: string }): Attempts | undefined {
    const [original, sent] = [this.#first, this.#written].map(({ request }) => parsedBody(request.body ?? NO_BYTES));
    if (original === undefined || sent === undefined) return undefined;
    const shape = this.#shapeOf(original);
    const next = nextAttempt(refusal, { sent, original }, this.#attempts, !this.#writing.isUnhelped(shape));
    if (next === undefined) return undefined;
    const isAsked = next.named.length > this.#attempts.named.length;
    const tried = isAsked ? `${shape} ${next.named.join()}` : shape;
    if (isAsked && this.#writing.isUnhelped(tried)) return undefined;
    this.#tried.add(tried);
    return next;
  }

  /** Of one key, so that no caller can keep the requests of another one from being repaired. */
  #shapeOf(original: JsonObject): string {
    return `${this.#original.localKeyId} ${shapeOf(original)}`;
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

const NO_BYTES = Buffer.alloc(0);

function singly({ named, guessed }: Attempts): ChangeSets {
  return [...named, ...guessed].map((change) => [change]);
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
