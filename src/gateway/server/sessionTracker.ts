import { CacheWatch, type Loop, MAX_COMPARED_BYTES, type RequestMeter } from '../caching/cacheWatch.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { RequestSession } from '../core/requestSession.ts';
import { memberOf, type Upstream, type UpstreamRequest } from '../core/upstream.ts';
import type { FindBranch } from '../core/windowBranches.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { createSessionKey, SessionReader } from '../sessions/sessionReader.ts';

export type TrackedRequest = Pick<UpstreamRequest, 'endpoint' | 'headers' | 'localKeyId' | 'session' | 'window'>;

export interface SessionLoop extends Loop {
  /** Whether the session was ended because of it. */
  readonly isEnded: boolean;
}

interface TrackerOptions {
  /** For the hashes of session IDs. If undefined, the IDs change with each start. */
  readonly key: Uint8Array | undefined;
  /** Returns the branch of a window that a request names. */
  readonly findBranch?: FindBranch | undefined;
  readonly onLoop: (loop: SessionLoop) => void;
  /** Called when a session was ended, so that its further requests are refused. */
  readonly onEnd: (sessionId: string) => void;
  /** Measures what the requests of sessions consist of. */
  readonly meter?: RequestMeter;
}

/** Assigns requests to their sessions, and compares each request with earlier ones of its session. */
export class SessionTracker {
  readonly #reader: SessionReader;
  readonly #watch: CacheWatch;
  readonly #ended = new Set<string>();
  readonly #onEnd: TrackerOptions['onEnd'];
  /** Whether requests must be assigned to their sessions before they are sent. */
  hasEndedSome = false;
  /** Whether a session is ended when its agent repeats the same calls. */
  endsLoops = false;

  constructor({ key = createSessionKey(), findBranch, onLoop, onEnd, meter }: TrackerOptions) {
    this.#onEnd = onEnd;
    this.#reader = new SessionReader(key, findBranch);
    const noticeLoop = (loop: Loop) => {
      const isEnded = this.endsLoops;
      if (isEnded) this.end(loop.sessionId);
      onLoop({ ...loop, isEnded });
    };
    this.#watch = new CacheWatch(key, noticeLoop, meter);
  }

  /** Whether requests get the repository that their client names, or the branch of its terminal's window. */
  setRecordingRepositories(isOn: boolean): void {
    this.#reader.recordsRepositories = isOn;
  }

  /** Refuses all further requests of the session until the gateway stops. */
  end(sessionId: string): void {
    this.#ended.add(sessionId);
    this.hasEndedSome = true;
    this.#onEnd(sessionId);
  }

  hasEnded(session: RequestSession | undefined): boolean {
    return session?.ids !== undefined && this.#ended.has(session.ids.sessionId);
  }

  /** @param body the whole body, or its beginning. */
  read({ headers, localKeyId, window }: Omit<TrackedRequest, 'session'>, body: Buffer): RequestSession {
    return this.#reader.read({ headers, localKeyId, window, body });
  }

  /**
   * Like {@link read}, but also finds the session of a client that does not identify it, for callers that depend on a
   * session.
   */
  find(request: Omit<TrackedRequest, 'session'>, body: Buffer): RequestSession {
    const session = this.read(request, body);
    if (session.ids !== undefined || body.length > MAX_COMPARED_BYTES) return session;
    const { requestClass, agentType, toolMs, repository, branch } = session;
    const { localKeyId, headers } = request;
    const ids = this.#watch.findSession({ localKeyId, userAgent: headers['user-agent'] }, body);
    return { ids, requestClass, agentType, toolMs, repository, branch, isFound: true };
  }

  /** Called when the exchange has asked its upstream. */
  sent(exchange: Exchange, request: TrackedRequest, body: Buffer, model: string | undefined): void {
    if (exchange.isAnswered || exchange.upstream === undefined || model === undefined) return;
    if (request.endpoint !== exchange.format.path) return;
    this.#watch.sent({
      id: exchange.id,
      localKeyId: request.localKeyId,
      userAgent: request.headers['user-agent'],
      model,
      session: request.session,
      startedAt: Date.now(),
      firstByteAt: () => exchange.firstByteAt,
      body,
      isMeasured: exchange.isMeasured,
    });
  }

  /** Adds the result of the comparison to the record. */
  ended(record: ExchangeRecord, asked: Upstream | undefined): ExchangeRecord {
    const mayMark = asked !== undefined && record.upstreamFormat === 'messages';
    const needsMarks = mayMark && memberOf(asked, record.upstream).upstream.marksCache !== true;
    const result = this.#watch.ended(record, needsMarks);
    if (result === undefined) return record;
    return { ...record, ...result.session, ...(result.miss !== undefined && { cacheMiss: result.miss }) };
  }
}
