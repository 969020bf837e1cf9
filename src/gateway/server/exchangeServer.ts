import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { WINDOW_HEADER } from '../../rules/windowMark.ts';
import { concernsCompaction, mayConcernCompaction, type ReadRequest } from '../compaction/compactionMark.ts';
import { isCompressed, withPlainBody } from '../core/compressedBody.ts';
import { isCodex } from '../core/exchangeRecord.ts';
import { HeldMemory, RequestMemory } from '../core/heldMemory.ts';
import { isTooLongName, modelName } from '../core/modelName.ts';
import { FORM_ENDPOINTS, findFormModel, isForm, isPassed } from '../core/passedEndpoint.ts';
import { BODY_TOO_SLOW, bodyTooLarge, endedSession, MODEL_TOO_LONG, type Refusal } from '../core/refusal.ts';
import { METHOD_OF_ENDPOINT, RESPONSES, type RequestPath } from '../core/route.ts';
import type { Upstream, UpstreamRequest } from '../core/upstream.ts';
import type { Sampler } from '../counting/sampler.ts';
import type { Books } from '../exchanges/books.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { askWithinLimits } from '../exchanges/limitedExchange.ts';
import { refusalOfForm } from '../exchanges/limitedRequest.ts';
import { requestHeaders } from '../http/headers.ts';
import { type BodyLimits, BodyStream, discardBody, readBody } from '../http/requestBody.ts';
import { isLong, nextTurn } from '../http/turns.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import { sealingKey, sentSecrets, withoutSecrets } from '../keys/sentSecrets.ts';
import type { Queues } from '../rateLimits/requestQueues.ts';
import type { SecretGuard } from '../secrets/secretGuard.ts';
import type { Traffic } from '../traffic/traffic.ts';
import type { TurnHead } from '../websocket/turnHeaders.ts';
import { DISCOVERY_PREFIX, withoutDiscoveryPrefix } from './agentModels.ts';
import { type BodyStart, readBeginning } from './bodyStart.ts';
import { guardSecrets } from './guardedRequest.ts';
import { answerReading } from './readAnswers.ts';
import type { SessionTracker, TrackedRequest } from './sessionTracker.ts';

export interface ServingOptions {
  readonly upstream: Upstream;
  readonly bodyLimits?: Partial<BodyLimits>;
  /** Memory for the bodies and answers of all running requests. Default: 512. */
  readonly heldMegabytes?: number;
  /** Remembers headers and bodies, which are not in the records. */
  readonly traffic?: Traffic;
  /** Takes some of the requests as samples of how upstreams count tokens. */
  readonly sampler?: Sampler;
}

/** The parts that limit requests, and those that learn from requests after they were sent. */
interface ServingParts {
  readonly books: Books;
  readonly queues: Queues;
  readonly sessions: SessionTracker;
  readonly secrets: SecretGuard;
}

export interface AdmittedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Extract<RequestPath, { kind: 'endpoint' }>;
  readonly key: KeyDetails;
}

/** What is needed of it after its body was read. */
type AdmittedHead = Pick<AdmittedRequest, 'route' | 'key'> & { readonly request: Pick<IncomingMessage, 'headers'> };

interface RoutedRequest {
  readonly upstream: Upstream;
  readonly request: ReadRequest;
  /** Whether the key or the service key has limits that the body must be read for. */
  readonly isLimiting: boolean;
}

type ExchangeHead = Omit<UpstreamRequest, 'body' | 'bodyStream' | 'streamedModel'>;

const DEFAULT_BODY_LIMITS: BodyLimits = { maxBytes: 32 * 1024 * 1024, timeoutMs: 60_000 };
/** Longer bodies are streamed to the upstream if possible, because buffering them costs more than passing them on. */
const STREAMED_BYTES = 128 * 1024;

/** Reads admitted requests and sends them to the upstream, within the limits of their keys. */
export class ExchangeServer {
  /** Used for later requests. */
  upstream: Upstream;
  readonly #bodyLimits: BodyLimits;
  readonly #traffic: Traffic | undefined;
  readonly #sampler: Sampler | undefined;
  readonly #parts: ServingParts;
  readonly #memory: HeldMemory;

  constructor({ upstream, bodyLimits, heldMegabytes, traffic, sampler }: ServingOptions, parts: ServingParts) {
    this.upstream = upstream;
    this.#bodyLimits = { ...DEFAULT_BODY_LIMITS, ...bodyLimits };
    this.#memory = new HeldMemory(heldMegabytes);
    this.#traffic = traffic;
    this.#sampler = sampler;
    this.#parts = parts;
  }

  /** Asks for one answer of a WebSocket connection. Resolves when the upstream was asked or the exchange was refused. */
  async serveTurn(exchange: Exchange, head: TurnHead, key: KeyDetails, body: Buffer): Promise<void> {
    const memory = new RequestMemory(this.#memory, key.id, (refusal) => exchange.cutOff(refusal));
    exchange.memory = memory;
    if (!memory.body(body.length)) return;
    if (isLong(body)) await nextTurn();
    const { headers, rawHeaders, window } = head;
    const written = { headers: requestHeaders(rawHeaders, undefined), query: '' };
    const request: ReadRequest = {
      endpoint: RESPONSES.endpoint,
      method: 'POST',
      subpath: '',
      ...withoutSecrets(written, sentSecrets(headers)),
      localKeyId: key.id,
      callerFormat: exchange.format.name,
      onSending: exchange.sending,
      window,
      memory,
      body,
    };
    const isLimiting = isLimited(key) || this.#parts.books.isLimiting;
    const asked = { upstream: this.upstream, isLimiting };
    return this.#askWhole(exchange, { request: head, route: RESPONSES, key }, request, asked);
  }

  /** Resolves when the upstream was asked or the exchange was refused. */
  async serve(exchange: Exchange, admitted: AdmittedRequest): Promise<void> {
    const { request, response, route, key } = admitted;
    const { endpoint, subpath } = route;
    const method = METHOD_OF_ENDPOINT[endpoint];
    const written = { headers: requestHeaders(request.rawHeaders, request.headers.connection), query: route.query };
    const { headers, query } = withoutSecrets(written, sentSecrets(request.headers));
    const callerFormat = exchange.format.name;
    const onSending = exchange.sending;
    const window = route.window ?? request.headers[WINDOW_HEADER];
    const head = { endpoint, method, subpath, query, headers, localKeyId: key.id, callerFormat, onSending, window };
    if (method === 'GET') {
      discardBody(request);
      await answerReading(exchange, head, key, { upstream: this.upstream, books: this.#parts.books });
      return;
    }
    if (request.headers.expect !== undefined) response.writeContinue();
    const { upstream } = this;
    const memory = new RequestMemory(this.#memory, key.id, (refusal) => exchange.cutOff(refusal));
    exchange.memory = memory;
    const isLimiting = isLimited(key) || this.#parts.books.isLimiting;
    const { secrets } = this.#parts;
    const mayHold = (secrets.isOn || key.secrets !== undefined) && secrets.mayHold(key.secrets);
    const length = isLimiting || mayHold ? undefined : this.#streamedLength(request, head, upstream);
    const hasRoom = (bytes: number) => memory.body(bytes);
    const read = await (length === undefined
      ? readBody(request, this.#bodyLimits, hasRoom)
      : readBeginning(request, this.#bodyLimits, hasRoom, length));
    if (read === 'noRoom') {
      discardBody(request);
    } else if (typeof read === 'string') {
      refuse(exchange, request, read === 'tooLarge' ? bodyTooLarge(this.#bodyLimits.maxBytes) : BODY_TOO_SLOW);
    } else if (Buffer.isBuffer(read)) {
      if (isLong(read)) await nextTurn();
      return this.#askWhole(exchange, admitted, { ...head, memory, body: read }, { upstream, isLimiting });
    } else if (isTooLongName(read.model)) {
      refuse(exchange, request, MODEL_TOO_LONG);
    } else if (exchange.isAnswered) {
      discardBody(request);
    } else {
      const sent = { ...head, memory, session: this.#parts.sessions.read(head, read.body) };
      const { model } = read;
      const bodyStream = this.#stream(exchange, request, read, (passed) =>
        this.#sent(exchange, key, sent, passed, model),
      );
      exchange.ask(upstream, { ...sent, bodyStream, streamedModel: model }, model);
    }
  }

  async #askWhole(
    exchange: Exchange,
    { request: { headers }, route, key }: AdmittedHead,
    request: ReadRequest,
    asked: Pick<RoutedRequest, 'upstream' | 'isLimiting'>,
  ): Promise<void> {
    const { sessions } = this.#parts;
    const { 'content-encoding': encoding } = request.headers;
    const read = encoding === undefined ? request : await withPlainBody(request, this.#bodyLimits.maxBytes);
    if ('error' in read) {
      exchange.refuse(read);
      return;
    }
    if (encoding !== undefined && read.memory?.body(read.body.length) === false) return;
    const asForm = FORM_ENDPOINTS.has(route.endpoint) && isForm(read.headers);
    const named = asForm ? findFormModel(read.body, read.headers)?.name : modelName(read.body);
    const isDiscovered = named?.startsWith(DISCOVERY_PREFIX) === true && !asForm;
    const renamed = isDiscovered ? { ...read, body: withoutDiscoveryPrefix(read.body) } : read;
    const model = isDiscovered ? named.slice(DISCOVERY_PREFIX.length) : named;
    const { secrets } = this.#parts;
    const isGuarded = secrets.isOn || key.secrets !== undefined;
    const plain = isGuarded
      ? await guardSecrets(secrets, exchange, key, { ...asked, model, request: renamed })
      : renamed;
    if (plain === undefined) return;
    const isCapped = key.limits?.sessionDollars !== undefined;
    const isNeeded = isCapped || sessions.hasEndedSome;
    const session = isNeeded ? sessions.find(plain, plain.body) : sessions.read(plain, plain.body);
    if (isNeeded && isLong(plain.body)) await nextTurn();
    if (sessions.hasEndedSome && sessions.hasEnded(session)) {
      exchange.refuse(endedSession(isCodex(headers)));
      return;
    }
    const whole = { ...plain, session };
    exchange.session = session;
    if (this.#sampler?.counter.isInUse) this.#sampler.offer(exchange.id, whole);
    if (model !== undefined && isTooLongName(model)) exchange.refuse(MODEL_TOO_LONG);
    else if (route.endpoint.startsWith('/responses') && !isPassed(route.endpoint) && concernsCompaction(whole)) {
      await this.#askCompacting(exchange, key, { ...asked, request: whole }, headers);
    } else {
      const asking = this.#ask(exchange, key, { ...asked, request: whole }, model);
      if (asking !== undefined) await asking;
    }
    this.#sent(exchange, key, whole, whole.body, model);
  }

  /** Sends a request that asks for a compaction or contains an earlier one. */
  async #askCompacting(
    exchange: Exchange,
    key: KeyDetails,
    { upstream, request, isLimiting }: RoutedRequest,
    headers: IncomingHttpHeaders,
  ): Promise<void> {
    // An upstream that compacts by itself gets the request as it is.
    const unclear = isLimiting ? await refusalOfForm(request.body) : undefined;
    if (unclear !== undefined) {
      exchange.refuse(unclear);
      return;
    }
    const { prepareCompaction } = await import('../compaction/compaction.ts');
    const prepared = await prepareCompaction(request, upstream, () => sealingKey(headers));
    if ('error' in prepared) exchange.refuse(prepared);
    else await this.#ask(exchange, key, { ...prepared, isLimiting }, modelName(prepared.request.body));
  }

  /** @returns undefined if the upstream was asked at once. */
  #ask(
    exchange: Exchange,
    key: KeyDetails,
    { upstream, request, isLimiting }: RoutedRequest,
    model: string | undefined,
  ): Promise<void> | undefined {
    if (!isLimiting) {
      exchange.ask(upstream, request, model);
      return undefined;
    }
    const { books, queues, sessions } = this.#parts;
    const hasSessionEnded = () => sessions.hasEnded(request.session);
    return askWithinLimits(exchange, { books, queues, key, request, upstream, hasSessionEnded });
  }

  /** Learns from a request after it was sent to its upstream, so that nothing delays it. */
  #sent(exchange: Exchange, key: KeyDetails, request: TrackedRequest, body: Buffer, model: string | undefined): void {
    const { sessions, secrets } = this.#parts;
    sessions.sent(exchange, request, body, model);
    if (!secrets.isOn && key.secrets === undefined) return;
    const { upstream } = exchange;
    if (exchange.isAnswered || upstream === undefined) return;
    if (secrets.policyFor(key.secrets, upstream, model) === 'report') secrets.watch.sent(exchange.id, body);
  }

  /**
   * Returns the length of the body if it is long enough to be streamed, and if the whole body is needed neither for
   * compaction, decompression, or capturing, nor to find its session.
   */
  #streamedLength({ headers }: IncomingMessage, { endpoint }: ExchangeHead, upstream: Upstream): number | undefined {
    const length = Number(headers['content-length']);
    if (!(length >= STREAMED_BYTES) || length > this.#bodyLimits.maxBytes) return undefined;
    const isLookedInto = this.#parts.sessions.hasEndedSome || mayConcernCompaction(endpoint, headers);
    const isWhole = isLookedInto || isCompressed(headers) || this.#traffic?.isCapturing === true;
    return !isWhole && upstream.takesBodyStream?.(endpoint) === true ? length : undefined;
  }
  #stream(
    exchange: Exchange,
    request: IncomingMessage,
    { body: head, length }: BodyStart,
    onSent: (body: Buffer) => void,
  ): BodyStream {
    const onTimeout = () => {
      exchange.cutOff(BODY_TOO_SLOW);
      discardBody(request);
    };
    const onPassed = (passed: Buffer) => {
      exchange.passed(passed);
      onSent(passed);
    };
    const { timeoutMs } = this.#bodyLimits;
    return new BodyStream({ request, head, length, timeoutMs, onTimeout, onPassed });
  }
}

/** Refuses the exchange, and discards the rest of the body so that the client reads the refusal. */
export function refuse(exchange: Exchange, request: IncomingMessage, refusal: Refusal): void {
  exchange.refuse(refusal);
  discardBody(request);
}

/** Whether requests of this key must be read before they are sent. */
function isLimited({ models, limits, budgets, team }: KeyDetails): boolean {
  return models !== undefined || limits !== undefined || budgets !== undefined || team?.budgets !== undefined;
}
