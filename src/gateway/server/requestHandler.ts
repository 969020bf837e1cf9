import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { wireFormats } from '../../formats/index.ts';
import type { Clock } from '../../service/clock.ts';
import { Access, type AccessRules } from '../access/access.ts';
import { RefusedCallers } from '../access/refusedCallers.ts';
import { concernsCompaction, mayConcernCompaction, type ReadRequest } from '../compaction/compactionMark.ts';
import { callerFormat } from '../core/callerFormat.ts';
import { isCompressed, withPlainBody } from '../core/compressedBody.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { modelName, SEARCHED_BYTES } from '../core/modelName.ts';
import { BODY_TOO_SLOW, bodyTooLarge, MODEL_TOO_LONG, type Refusal, STOPPING, TOO_MANY } from '../core/refusal.ts';
import { isTooLongName } from '../core/requestLimits.ts';
import { METHOD_OF_ENDPOINT, matchRoute, type Route } from '../core/route.ts';
import { sendError } from '../core/sendError.ts';
import type { Endpoint, Upstream, UpstreamRequest } from '../core/upstream.ts';
import type { UsageEstimator } from '../core/usageEstimator.ts';
import type { Sampler } from '../counting/sampler.ts';
import { Bookkeeper } from '../exchanges/bookkeeper.ts';
import type { Books } from '../exchanges/books.ts';
import { Exchange } from '../exchanges/exchange.ts';
import { askWithinLimits, isLimited } from '../exchanges/limitedExchange.ts';
import { BodyStream } from '../http/bodyStream.ts';
import { requestHeaders } from '../http/headers.ts';
import { type BodyLimits, type BodyProblem, discardBody, readBody, readRest } from '../http/requestBody.ts';
import type { IssuedKey, KeyDetails } from '../keys/issuedKey.ts';
import { KEY_CLOSED } from '../keys/keyRefusal.ts';
import type { Admission } from '../keys/keyRing.ts';
import { AllowedModels } from '../keys/modelListFilter.ts';
import { sealingKey } from '../keys/sealingKey.ts';
import { RequestQueues } from '../rateLimits/requestQueues.ts';
import { SecretWatch } from '../secrets/secretWatch.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { answerProbe, probeOf } from './probes.ts';
import { RunningExchanges } from './runningExchanges.ts';
import { type SentRequest, SessionTracker } from './sessionTracker.ts';

/** Answers paths that are no endpoints of the API. */
export interface FurtherPaths {
  /** @returns false when the path is none of these. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

export interface RequestHandlerOptions extends AccessRules {
  readonly furtherPaths?: FurtherPaths;
  readonly upstream: Upstream;
  readonly bodyLimits?: Partial<BodyLimits>;
  /** How many may be under way at once; 1024 by default. */
  readonly maxExchanges?: number;
  /** Keeps the budgets and the ledger; without one, budgets are kept in memory. */
  readonly books?: Books;
  /** Called once for every exchange, after its end, with the upstream that was asked. */
  readonly onExchange?: (record: ExchangeRecord, upstream: Upstream | undefined) => void;
  /** Remembers what is not in the records. */
  readonly traffic?: Traffic;
  /** Sizes up what nobody counts; without one that is done without a tokenizer. */
  readonly estimator?: UsageEstimator;
  /** Takes some of the requests as samples of how upstreams count. */
  readonly sampler?: Sampler;
  /** Whether requests are searched for secrets, for their records. Off by default. */
  readonly detectsSecrets?: boolean;
  /** Told how many requests were refused before their sender was known: a line for a person, once a minute at most. */
  readonly onRefusedCallers?: (message: string) => void;
  /** When requests in a queue have their turn; the system's by default. */
  readonly clock?: Clock;
  /** Called when something failed that should not have. */
  readonly onError?: (error: unknown) => void;
}

const DEFAULT_BODY_LIMITS: BodyLimits = { maxBytes: 32 * 1024 * 1024, timeoutMs: 60_000 };
const DEFAULT_MAX_EXCHANGES = 1024;
/** From here on a body is not gathered first where it need not be: keeping it costs more than passing it on. */
const STREAMED_BYTES = 128 * 1024;

type EndpointRoute = Extract<Route, { kind: 'endpoint' }>;

/** What has come of a body. */
interface ReadBody {
  readonly body: Buffer;
  /** What is known of all of it, where the rest is still to come. */
  readonly announced?: { readonly length: number; readonly model: string };
}

/** A body that is passed on as it comes. */
interface PassedBody {
  readonly head: Buffer;
  /** Of the whole body. */
  readonly length: number;
  readonly sent: Omit<UpstreamRequest, 'body' | 'bodyStream'>;
  readonly onPassed: (body: Uint8Array) => void;
}

/** Lets a request through to the upstream, or says why not. */
export class RequestHandler {
  readonly #options: RequestHandlerOptions;
  readonly #access: Access;
  readonly #bodyLimits: BodyLimits;
  readonly #maxExchanges: number;
  readonly #books: Books;
  readonly #exchanges = new RunningExchanges();
  readonly #queues: RequestQueues;
  readonly #refusedCallers: RefusedCallers;
  readonly #sessions: SessionTracker;
  readonly #secrets: SecretWatch;
  #upstream: Upstream;
  #isAdmitting = true;

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
    this.#access = new Access(options, (ids) => this.#endThoseOf(ids));
    this.#bodyLimits = { ...DEFAULT_BODY_LIMITS, ...options.bodyLimits };
    this.#maxExchanges = options.maxExchanges ?? DEFAULT_MAX_EXCHANGES;
    this.#books = options.books ?? new Bookkeeper();
    this.#queues = new RequestQueues(options.clock);
    this.#refusedCallers = new RefusedCallers(options.onRefusedCallers ?? (() => undefined));
    this.#sessions = new SessionTracker(this.#books.sessionKey);
    this.#upstream = options.upstream;
    this.#secrets = new SecretWatch((error) => options.onError?.(error));
    this.#secrets.isOn = options.detectsSecrets === true;
  }

  get #limiting() {
    return { books: this.#books, queues: this.#queues };
  }

  /** Those under way. */
  get exchanges(): ReadonlySet<Exchange> {
    return this.#exchanges;
  }

  /** Effective at once: what keys run that are in the list no longer, or with another secret, ends. */
  setLocalKeys(keys: readonly IssuedKey[]): void {
    this.#access.setLocalKeys(keys);
    this.#queues.update(keys);
  }

  /** For requests from now on. Resolves when those that began with the one before have ended, so that it can be closed. */
  setUpstream(upstream: Upstream): Promise<void> {
    this.#upstream = upstream;
    return this.#exchanges.ended();
  }

  /** For requests from now on. */
  setDetectingSecrets(isOn: boolean): void {
    this.#secrets.isOn = isOn;
  }

  setAllowedOrigins(origins: readonly string[]): void {
    this.#access.setAllowedOrigins(origins);
  }

  /** The gateway is closing: what comes on connections that are still open is refused. */
  stopAdmitting(): void {
    this.#isAdmitting = false;
  }

  /** Nothing is under way any more. */
  async dispose(): Promise<void> {
    this.#access.dispose();
    this.#refusedCallers.close();
    await this.#secrets.close();
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const route = matchRoute(request.url ?? '');
    const probe = probeOf(request, route);
    const sourceRefusal = this.#access.checkSource(request, probe !== undefined);
    if (sourceRefusal !== undefined) {
      this.#turnAway(request, response, route, sourceRefusal);
    } else if (probe !== undefined) {
      const { isDatabaseAway = false } = this.#books;
      answerProbe(response, probe, { isAdmitting: this.#isAdmitting, isDatabaseAway });
    } else if (!this.#answerPreflight(request, response)) {
      this.#openToPage(request, response);
      const isElsewhere = route.kind === 'unknown' && this.#options.furtherPaths?.answer(request, response) === true;
      if (!isElsewhere) this.#authenticate(request, response, route);
    }
  };

  #authenticate(request: IncomingMessage, response: ServerResponse, route: Route): void {
    const admission = this.#access.checkKey(request.headers);
    if (admission instanceof Promise) {
      // A client that has left meanwhile closes no exchange that begins now.
      void admission.then((late) => response.destroyed || this.#decide(request, response, route, late));
    } else {
      this.#decide(request, response, route, admission);
    }
  }

  #decide(request: IncomingMessage, response: ServerResponse, route: Route, admission: Admission): void {
    if (admission.ok) this.#admit(this.#begin(request, response, route), request, response, route, admission.key);
    else this.#turnAway(request, response, route, admission.refusal);
  }

  /** Nobody knows who asks, so there is no exchange: only the answer, and a count. */
  #turnAway(request: IncomingMessage, response: ServerResponse, route: Route, refusal: Refusal): void {
    this.#refusedCallers.count(refusal, this.#access.callers.addressOf(request));
    const format = wireFormats[callerFormat(endpointOf(route), request.headers)];
    sendError(response, format, refusal.error, newExchangeId(), refusal.headers);
    discardBody(request);
  }

  #answerPreflight({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
    const answer = method === 'OPTIONS' ? this.#access.origins.preflightHeaders(headers) : undefined;
    if (answer === undefined) return false;
    response.writeHead(204, answer).end();
    return true;
  }

  #openToPage({ headers }: IncomingMessage, response: ServerResponse): void {
    const answer = this.#access.origins.answerHeaders(headers);
    if (answer === undefined) return;
    for (const [name, value] of Object.entries(answer)) {
      if (value !== undefined) response.setHeader(name, value);
    }
  }

  #begin(request: IncomingMessage, response: ServerResponse, route: Route): Exchange {
    const endpoint = endpointOf(route);
    const format = wireFormats[callerFormat(endpoint, request.headers)];
    const id = newExchangeId();
    const trace = this.#options.traffic?.begin(id, format.name, request.rawHeaders);
    const { estimator } = this.#options;
    const facts = {
      id,
      format,
      ...(endpoint && { endpoint }),
      ...(trace && { trace }),
      estimator,
      onSent: this.#books.sent,
    };
    const exchange = new Exchange(facts, request, response, this.#forget);
    this.#exchanges.add(exchange);
    return exchange;
  }

  readonly #forget = (exchange: Exchange, ended: ExchangeRecord): void => {
    const record = this.#sessions.ended(ended, exchange.upstream);
    const search = this.#secrets.ended(exchange.id);
    if (search === undefined) this.#enter(exchange, record);
    else void search.then((secrets) => this.#enter(exchange, secrets.length === 0 ? record : { ...record, secrets }));
  };

  #enter(exchange: Exchange, record: ExchangeRecord): void {
    this.#exchanges.delete(exchange);
    this.#books.enter(record, exchange.upstream);
    this.#options.onExchange?.(record, exchange.upstream);
    this.#options.sampler?.finish(record).catch((error: unknown) => this.#options.onError?.(error));
  }

  #endThoseOf(localKeyIds: ReadonlySet<string>): void {
    for (const exchange of this.#exchanges) {
      if (exchange.localKeyId !== undefined && localKeyIds.has(exchange.localKeyId)) exchange.cutOff(KEY_CLOSED);
    }
  }

  #admit(exchange: Exchange, request: IncomingMessage, response: ServerResponse, route: Route, key: KeyDetails): void {
    exchange.localKeyId = key.id;
    const refusal = this.#access.checkForm(request, route) ?? this.#checkRoom();
    if (refusal !== undefined) {
      refuse(exchange, request, refusal);
    } else if (route.kind === 'endpoint') {
      this.#serve(exchange, request, response, route, key).catch((error: unknown) => {
        this.#options.onError?.(error);
        exchange.fail({ kind: 'server', status: 500, message: 'The gateway failed. See its log for details.' });
      });
    }
  }

  #checkRoom(): Refusal | undefined {
    if (!this.#isAdmitting) return STOPPING;
    return this.#exchanges.size > this.#maxExchanges ? TOO_MANY : this.#books.refusal;
  }

  async #serve(
    exchange: Exchange,
    request: IncomingMessage,
    response: ServerResponse,
    route: EndpointRoute,
    key: KeyDetails,
  ): Promise<void> {
    const method = METHOD_OF_ENDPOINT[route.endpoint];
    const { endpoint, subpath, query } = route;
    const headers = requestHeaders(request.rawHeaders, request.headers.connection);
    const callerFormat = exchange.format.name;
    const upstreamRequest = { endpoint, method, subpath, query, headers, localKeyId: key.id, callerFormat };
    if (method === 'GET') {
      discardBody(request);
      await this.#answerItself(exchange, upstreamRequest, key);
      return;
    }
    if (request.headers.expect !== undefined) response.writeContinue();
    const upstream = this.#upstream;
    // Whoever limits what may be asked needs all of the body, and so does who decompresses or keeps it.
    const isRead = isLimited(key) || this.#books.isLimiting;
    const isLookedInto = isRead || mayConcernCompaction(endpoint, headers);
    const isWhole = isLookedInto || isCompressed(headers) || this.#options.traffic?.isCapturing === true;
    const isStreamed = !isWhole && upstream.takesBodyStream?.(endpoint) === true;
    const read = await this.#read(request, isStreamed);
    if (typeof read === 'string') {
      refuse(exchange, request, read === 'tooLarge' ? bodyTooLarge(this.#bodyLimits.maxBytes) : BODY_TOO_SLOW);
      return;
    }
    const { body, announced } = read;
    if (announced === undefined) {
      const plain = withPlainBody({ ...upstreamRequest, body }, this.#bodyLimits.maxBytes);
      if ('error' in plain) {
        exchange.refuse(plain);
        return;
      }
      const isCapped = key.limits?.sessionDollars !== undefined;
      const session = this.#sessions[isCapped ? 'find' : 'read'](upstreamRequest, plain.body);
      const whole = { ...plain, session };
      exchange.session = session;
      this.#options.sampler?.offer(exchange.id, whole);
      const model = modelName(whole.body);
      if (model !== undefined && isTooLongName(model)) exchange.refuse(MODEL_TOO_LONG);
      else if (concernsCompaction(whole))
        await this.#askCompacting(exchange, key, { upstream, request: whole }, request.headers);
      else if (isRead) await askWithinLimits(exchange, { ...this.#limiting, key, request: whole, upstream });
      else exchange.ask(upstream, whole, model);
      this.#sent(exchange, whole, whole.body, model);
    } else if (isTooLongName(announced.model)) {
      refuse(exchange, request, MODEL_TOO_LONG);
    } else if (exchange.isAnswered) {
      discardBody(request);
    } else {
      const sent = { ...upstreamRequest, session: this.#sessions.read(upstreamRequest, body) };
      const onPassed = (passed: Uint8Array) => this.#sent(exchange, sent, passed, announced.model);
      const bodyStream = this.#stream(exchange, request, { head: body, length: announced.length, sent, onPassed });
      exchange.ask(upstream, { ...sent, bodyStream }, announced.model);
    }
  }

  /** The request may have gone to its upstream: what is learned from it costs no time before. */
  #sent(exchange: Exchange, request: SentRequest, body: Uint8Array, model: string | undefined): void {
    this.#sessions.sent(exchange, request, body, model);
    if (!exchange.isAnswered && exchange.upstream !== undefined) this.#secrets.sent(exchange.id, body);
  }

  /** A conversation that is to be compacted, or that was. */
  async #askCompacting(
    exchange: Exchange,
    key: KeyDetails,
    { upstream, request }: { readonly upstream: Upstream; readonly request: ReadRequest },
    headers: IncomingHttpHeaders,
  ): Promise<void> {
    const { prepareCompaction } = await import('../compaction/compaction.ts');
    const prepared = prepareCompaction(request, upstream, () => sealingKey(headers));
    if ('error' in prepared) exchange.refuse(prepared);
    else if (isLimited(key) || this.#books.isLimiting) {
      await askWithinLimits(exchange, { ...this.#limiting, ...prepared, key });
    } else exchange.ask(prepared.upstream, prepared.request, modelName(prepared.request.body));
  }

  /** All of a body; of one that may be passed on as it comes its beginning, if that names the model for the record. */
  async #read(request: IncomingMessage, isStreamed: boolean): Promise<ReadBody | BodyProblem> {
    const length = isStreamed ? this.#streamedLength(request) : undefined;
    const body = await readBody(request, this.#bodyLimits, length && SEARCHED_BYTES);
    if (typeof body === 'string') return body;
    if (length === undefined) return { body };
    const model = modelName(body);
    if (model !== undefined) return { body, announced: { length, model } };
    const whole = await readRest(request, this.#bodyLimits, body);
    return typeof whole === 'string' ? whole : { body: whole };
  }

  async #answerItself(exchange: Exchange, request: UpstreamRequest, key: KeyDetails): Promise<void> {
    const { endpoint, subpath } = request;
    const balance = endpoint === '/balance' ? await this.#books.balance(key) : undefined;
    const isFiltered = endpoint === '/models' && key.models !== undefined;
    const allowed = isFiltered ? new AllowedModels(this.#upstream, key) : undefined;
    const refusal = allowed?.refusalOf(subpath);
    if (balance !== undefined) exchange.respond(balance);
    else if (refusal !== undefined) exchange.refuse(refusal);
    else exchange.ask(allowed ?? this.#upstream, request);
  }

  /** How long the body is, when it is long enough to go on as it comes. */
  #streamedLength(request: IncomingMessage): number | undefined {
    const length = Number(request.headers['content-length']);
    return length >= STREAMED_BYTES && length <= this.#bodyLimits.maxBytes ? length : undefined;
  }

  #stream(exchange: Exchange, request: IncomingMessage, { sent, onPassed, ...body }: PassedBody): BodyStream {
    const onTimeout = () => {
      exchange.cutOff(BODY_TOO_SLOW);
      discardBody(request);
    };
    const isKept = this.#sessions.isCompared(exchange, sent, body.length) || this.#secrets.takes(body.length);
    const { timeoutMs } = this.#bodyLimits;
    return new BodyStream({ request, ...body, timeoutMs, onTimeout, ...(isKept && { onPassed }) });
  }
}

function refuse(exchange: Exchange, request: IncomingMessage, refusal: Refusal): void {
  exchange.refuse(refusal);
  discardBody(request);
}

function endpointOf(route: Route): Endpoint | undefined {
  return route.kind === 'endpoint' ? route.endpoint : undefined;
}

function newExchangeId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}
