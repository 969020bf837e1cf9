import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import { BoundedMap } from '../../rules/boundedMap.ts';
import { CallHandle } from '../core/callHandle.ts';
import type { AnswerSink, Endpoint, Upstream, UpstreamCall, UpstreamRequest } from '../core/upstream.ts';
import { WrappedUpstream } from '../core/wrappedUpstream.ts';
import { retryAfterOf } from '../http/headers.ts';

/** How long a key is not used after a refusal without a time, in milliseconds. */
const PAUSE_MS: Readonly<Record<number, number>> = { 401: 10 * 60_000, 402: 10 * 60_000, 429: 10_000 };
/** A longer time may be due to a wrong clock. */
const MAX_PAUSE_MS = 60 * 60_000;
/** Limits the memory. */
const MAX_SESSIONS = 2_000;

/**
 * An upstream with several keys. A session stays with its key, because caches belong to accounts. If the upstream refuses
 * a key (401), its credit (402) or its rate (429), the next key is tried, and the refused one pauses.
 */
export class RotatingKeys extends WrappedUpstream {
  readonly #keys: readonly Upstream[];
  readonly #pausedUntil: number[];
  readonly #keyOfSession = new BoundedMap<string, number>(MAX_SESSIONS);

  /** @param keys the upstream with each key, at least one. */
  constructor(keys: readonly [Upstream, ...Upstream[]]) {
    super(keys[0]);
    this.#keys = keys;
    this.#pausedUntil = keys.map(() => 0);
  }

  /** The body may be sent again with another key. */
  override takesBodyStream(_: Endpoint): boolean {
    return false;
  }

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const session = request.session?.ids?.sessionId ?? request.localKeyId;
    const [first = 0, ...others] = this.#order(session);
    const chosen = (key: number) => this.#keyOfSession.set(session, key);
    return new RotatingCall(request, { first, others, keyed: this.#keys, refused: this.#refused, chosen }, sink);
  }

  override async close(): Promise<void> {
    await Promise.all(this.#keys.map((key) => key.close()));
  }

  /** The session's key, then the others that are not paused. If all are paused, the one that is paused the shortest. */
  #order(session: string): readonly number[] {
    const count = this.#keys.length;
    const own = this.#keyOfSession.get(session) ?? digest(session) % count;
    const all = this.#keys.map((_, nth) => (own + nth) % count);
    const ready = all.filter((key) => (this.#pausedUntil[key] ?? 0) <= performance.now());
    if (ready.length > 0) return ready;
    return [all.reduce((best, key) => ((this.#pausedUntil[key] ?? 0) < (this.#pausedUntil[best] ?? 0) ? key : best))];
  }

  readonly #refused = (key: number, status: number, headers: OutgoingHttpHeaders): void => {
    const asked = retryAfterOf(headers, Date.now());
    this.#pausedUntil[key] = performance.now() + Math.min(asked ?? PAUSE_MS[status] ?? 0, MAX_PAUSE_MS);
  };
}

interface Rotation {
  readonly first: number;
  /** In the order in which they are tried. */
  readonly others: readonly number[];
  readonly keyed: readonly Upstream[];
  readonly refused: (key: number, status: number, headers: OutgoingHttpHeaders) => void;
  /** Called with the key of an answer that is passed on. */
  readonly chosen: (key: number) => void;
}

class RotatingCall extends CallHandle {
  readonly #request: UpstreamRequest;
  readonly #rotation: Rotation;
  readonly #sink: AnswerSink;
  #others: readonly number[];
  #attempt = 0;

  constructor(request: UpstreamRequest, rotation: Rotation, sink: AnswerSink) {
    super();
    this.#request = request;
    this.#rotation = rotation;
    this.#sink = sink;
    this.#others = rotation.others;
    this.#ask(rotation.first);
  }

  #ask(key: number): void {
    this.#attempt += 1;
    const attempt = this.#attempt;
    const call = this.#rotation.keyed[key]?.send(this.#request, this.#sinkFor(key, attempt));
    // `send` may have answered synchronously, and the next key was already tried.
    if (attempt === this.#attempt) this.call = call;
    else call?.cancel();
  }

  #sinkFor(key: number, attempt: number): AnswerSink {
    const sink = this.#sink;
    const isCurrent = () => attempt === this.#attempt;
    return {
      start: (status, headers) => this.#start(key, status, headers),
      data: (chunk) => !isCurrent() || sink.data(chunk),
      end: () => isCurrent() && sink.end(),
      fail: (error: ApiError) => isCurrent() && sink.fail(error),
      used: (count) => isCurrent() && sink.used?.(count),
      dropped: (names) => isCurrent() && sink.dropped?.(names),
    };
  }

  #start(key: number, status: number, headers: OutgoingHttpHeaders): void {
    const { refused, chosen } = this.#rotation;
    const isRefused = PAUSE_MS[status] !== undefined;
    if (isRefused) refused(key, status, headers);
    const [next, ...rest] = this.#others;
    if (!isRefused || next === undefined || this.isCanceled) {
      if (!isRefused) chosen(key);
      this.#sink.start(status, headers);
      return;
    }
    this.#others = rest;
    this.call?.cancel();
    this.call = undefined;
    this.#ask(next);
  }
}

/** The same for the same session after a restart, so that it finds its cache. */
function digest(session: string): number {
  return createHash('sha256').update(session).digest().readUInt32BE();
}
