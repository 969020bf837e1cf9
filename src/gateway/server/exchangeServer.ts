import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { concernsCompaction, mayConcernCompaction, type ReadRequest } from '../compaction/compactionMark.ts';
import { isCodex } from '../core/codex.ts';
import { isCompressed, withPlainBody } from '../core/compressedBody.ts';
import { modelName, SEARCHED_BYTES } from '../core/modelName.ts';
import { BODY_TOO_SLOW, bodyTooLarge, endedSession, MODEL_TOO_LONG, type Refusal } from '../core/refusal.ts';
import { isTooLongName } from '../core/requestLimits.ts';
import { METHOD_OF_ENDPOINT, type Route } from '../core/route.ts';
import type { Upstream, UpstreamRequest } from '../core/upstream.ts';
import type { Sampler } from '../counting/sampler.ts';
import type { Books } from '../exchanges/books.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { askWithinLimits, isLimited, refusalOfForm } from '../exchanges/limitedExchange.ts';
import { BodyStream } from '../http/bodyStream.ts';
import { requestHeaders } from '../http/headers.ts';
import { type BodyLimits, type BodyProblem, discardBody, readBody, readRest } from '../http/requestBody.ts';
import { isLong, nextTurn } from '../http/turns.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import { AllowedModels } from '../keys/modelListFilter.ts';
import { sealingKey } from '../keys/sealingKey.ts';
import type { RequestQueues } from '../rateLimits/requestQueues.ts';
import type { SecretWatch } from '../secrets/secretWatch.ts';
import type { Traffic } from '../traffic/traffic.ts';
import type { SentRequest, SessionTracker } from './sessionTracker.ts';

export interface ServingOptions {
  readonly upstream: Upstream;
  readonly bodyLimits?: Partial<BodyLimits>;
  /** Remembers what is not in the records. */
  readonly traffic?: Traffic;
  /** Takes some of the requests as samples of how upstreams count. */
  readonly sampler?: Sampler;
}

/** Those who limit requests, and who learn from what was sent. */
interface ServingParts {
  readonly books: Books;
  readonly queues: RequestQueues;
  readonly sessions: SessionTracker;
  readonly secrets: SecretWatch;
}

/** A request of a key that the gateway knows. */
export interface AdmittedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Extract<Route, { kind: 'endpoint' }>;
  readonly key: KeyDetails;
}

type RequestHead = Omit<UpstreamRequest, 'body' | 'bodyStream'>;

/** What has come of a body. */
interface ReadBody {
  readonly body: Buffer;
  /** What is known of all of it, where the rest is still to come. */
  readonly announced?: { readonly length: number; readonly model: string };
}

const DEFAULT_BODY_LIMITS: BodyLimits = { maxBytes: 32 * 1024 * 1024, timeoutMs: 60_000 };
/** From here on a body is not gathered first where it need not be: keeping it costs more than passing it on. */
const STREAMED_BYTES = 128 * 1024;

/** Reads admitted requests, and asks the upstream within the limits of their keys. */
export class ExchangeServer {
  /** For requests from now on. */
  upstream: Upstream;
  readonly #bodyLimits: BodyLimits;
  readonly #traffic: Traffic | undefined;
  readonly #sampler: Sampler | undefined;
  readonly #parts: ServingParts;

  constructor({ upstream, bodyLimits, traffic, sampler }: ServingOptions, parts: ServingParts) {
    this.upstream = upstream;
    this.#bodyLimits = { ...DEFAULT_BODY_LIMITS, ...bodyLimits };
    this.#traffic = traffic;
    this.#sampler = sampler;
    this.#parts = parts;
  }

  /** Resolves when the upstream was asked, or the exchange refused. */
  async serve(exchange: Exchange, admitted: AdmittedRequest): Promise<void> {
    const { request, response, route, key } = admitted;
    const { endpoint, subpath, query } = route;
    const method = METHOD_OF_ENDPOINT[endpoint];
    const headers = requestHeaders(request.rawHeaders, request.headers.connection);
    const callerFormat = exchange.format.name;
    const head = { endpoint, method, subpath, query, headers, localKeyId: key.id, callerFormat };
    if (method === 'GET') {
      discardBody(request);
      await this.#answerItself(exchange, head, key);
      return;
    }
    if (request.headers.expect !== undefined) response.writeContinue();
    const { upstream } = this;
    const read = await this.#read(request, this.#isStreamed(head, key, upstream));
    if (typeof read === 'string') {
      refuse(exchange, request, read === 'tooLarge' ? bodyTooLarge(this.#bodyLimits.maxBytes) : BODY_TOO_SLOW);
    } else if (read.announced === undefined) {
      await this.#askWhole(exchange, admitted, { ...head, body: read.body }, upstream);
    } else if (isTooLongName(read.announced.model)) {
      refuse(exchange, request, MODEL_TOO_LONG);
    } else if (exchange.isAnswered) {
      discardBody(request);
    } else {
      const sent = { ...head, session: this.#parts.sessions.read(head, read.body) };
      const { length, model } = read.announced;
      const bodyStream = this.#stream(exchange, request, { head: read.body, length, sent, model });
      exchange.ask(upstream, { ...sent, bodyStream }, model);
    }
  }

  #isRead(key: KeyDetails): boolean {
    return isLimited(key) || this.#parts.books.isLimiting;
  }

  /** Whether nobody here needs all of the body: neither who limits what may be asked, nor who decompresses or keeps it. */
  #isStreamed({ endpoint, headers }: RequestHead, key: KeyDetails, upstream: Upstream): boolean {
    const { hasEndedSome } = this.#parts.sessions;
    const isLookedInto = this.#isRead(key) || hasEndedSome || mayConcernCompaction(endpoint, headers);
    const isWhole = isLookedInto || isCompressed(headers) || this.#traffic?.isCapturing === true;
    return !isWhole && upstream.takesBodyStream?.(endpoint) === true;
  }

  async #askWhole(
    exchange: Exchange,
    { request: { headers }, key }: AdmittedRequest,
    request: ReadRequest,
    upstream: Upstream,
  ): Promise<void> {
    const { sessions } = this.#parts;
    const plain = withPlainBody(request, this.#bodyLimits.maxBytes);
    if ('error' in plain) {
      exchange.refuse(plain);
      return;
    }
    const isCapped = key.limits?.sessionDollars !== undefined;
    const isNeeded = isCapped || sessions.hasEndedSome;
    const session = isNeeded ? sessions.find(plain, plain.body) : sessions.read(plain, plain.body);
    if (isNeeded && isLong(plain.body)) await nextTurn();
    // One with a cap is refused where the cap is, with what it has used.
    if (!isCapped && sessions.hasEndedSome && sessions.hasEnded(session)) {
      exchange.refuse(endedSession(isCodex(headers)));
      return;
    }
    const whole = { ...plain, session };
    exchange.session = session;
    this.#sampler?.offer(exchange.id, whole);
    const model = modelName(whole.body);
    if (model !== undefined && isTooLongName(model)) exchange.refuse(MODEL_TOO_LONG);
    else if (concernsCompaction(whole)) await this.#askCompacting(exchange, key, { upstream, request: whole }, headers);
    else await this.#ask(exchange, key, { upstream, request: whole }, model);
    this.#sent(exchange, whole, whole.body, model);
  }

  /** A conversation that is to be compacted, or that was. */
  async #askCompacting(
    exchange: Exchange,
    key: KeyDetails,
    { upstream, request }: { readonly upstream: Upstream; readonly request: ReadRequest },
    headers: IncomingHttpHeaders,
  ): Promise<void> {
    // An upstream that compacts by itself gets the request as it is.
    const unclear = this.#isRead(key) ? await refusalOfForm(request.body) : undefined;
    if (unclear !== undefined) {
      exchange.refuse(unclear);
      return;
    }
    const { prepareCompaction } = await import('../compaction/compaction.ts');
    const prepared = await prepareCompaction(request, upstream, () => sealingKey(headers));
    if ('error' in prepared) exchange.refuse(prepared);
    else await this.#ask(exchange, key, prepared, modelName(prepared.request.body));
  }

  async #ask(
    exchange: Exchange,
    key: KeyDetails,
    { upstream, request }: { readonly upstream: Upstream; readonly request: ReadRequest },
    model: string | undefined,
  ): Promise<void> {
    const { books, queues } = this.#parts;
    if (this.#isRead(key)) await askWithinLimits(exchange, { books, queues, key, request, upstream });
    else exchange.ask(upstream, request, model);
  }

  /** The request may have gone to its upstream: what is learned from it costs no time before. */
  #sent(exchange: Exchange, request: SentRequest, body: Uint8Array, model: string | undefined): void {
    const { sessions, secrets } = this.#parts;
    sessions.sent(exchange, request, body, model);
    if (!exchange.isAnswered && exchange.upstream !== undefined) secrets.sent(exchange.id, body);
  }

  async #answerItself(exchange: Exchange, request: UpstreamRequest, key: KeyDetails): Promise<void> {
    const { endpoint, subpath } = request;
    const balance = endpoint === '/balance' ? await this.#parts.books.balance(key) : undefined;
    const isFiltered = endpoint === '/models' && key.models !== undefined;
    const allowed = isFiltered ? new AllowedModels(this.upstream, key) : undefined;
    const refusal = allowed?.refusalOf(subpath);
    if (balance !== undefined) exchange.respond(balance);
    else if (refusal !== undefined) exchange.refuse(refusal);
    else exchange.ask(allowed ?? this.upstream, request);
  }

  // --------------------------------------------------------------------------------------------------------- bodies

  /** All of a body; of one that may be passed on as it comes its beginning, if that names the model for the record. */
  async #read(request: IncomingMessage, isStreamed: boolean): Promise<ReadBody | BodyProblem> {
    const length = isStreamed ? this.#streamedLength(request) : undefined;
    const body = await readBody(request, this.#bodyLimits, length && SEARCHED_BYTES);
    if (typeof body === 'string') return body;
    if (length === undefined) {
      if (isLong(body)) await nextTurn();
      return { body };
    }
    const model = modelName(body);
    if (model !== undefined) return { body, announced: { length, model } };
    const whole = await readRest(request, this.#bodyLimits, body);
    return typeof whole === 'string' ? whole : { body: whole };
  }

  /** How long the body is, when it is long enough to be passed on as it comes. */
  #streamedLength(request: IncomingMessage): number | undefined {
    const length = Number(request.headers['content-length']);
    return length >= STREAMED_BYTES && length <= this.#bodyLimits.maxBytes ? length : undefined;
  }

  #stream(
    exchange: Exchange,
    request: IncomingMessage,
    {
      sent,
      model,
      ...body
    }: { readonly head: Buffer; readonly length: number; readonly sent: RequestHead; readonly model: string },
  ): BodyStream {
    const { sessions, secrets } = this.#parts;
    const onTimeout = () => {
      exchange.cutOff(BODY_TOO_SLOW);
      discardBody(request);
    };
    const isKept = sessions.isCompared(exchange, sent, body.length) || secrets.takes(body.length);
    const onPassed = (passed: Uint8Array) => {
      exchange.passed(passed);
      this.#sent(exchange, sent, passed, model);
    };
    const { timeoutMs } = this.#bodyLimits;
    return new BodyStream({ request, ...body, timeoutMs, onTimeout, ...(isKept && { onPassed }) });
  }
}

/** Refuses the exchange, and reads what is still to come of its body, so that the client reads the refusal. */
export function refuse(exchange: Exchange, request: IncomingMessage, refusal: Refusal): void {
  exchange.refuse(refusal);
  discardBody(request);
}
