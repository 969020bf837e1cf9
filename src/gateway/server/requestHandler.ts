import type { IncomingMessage, ServerResponse } from 'node:http';
import { wireFormats } from '../../formats/index.ts';
import type { ContextMeasuring } from '../../rules/contextPart.ts';
import type { SecretPolicy } from '../../rules/secretPolicy.ts';
import type { KnownSecret } from '../../secrets/secretTable.ts';
import { Access } from '../access/access.ts';
import { OriginList } from '../access/origins.ts';
import { RefusedCallers } from '../access/refusedCallers.ts';
import { ContextWatch } from '../context/contextWatch.ts';
import { newRequestId } from '../core/callIds.ts';
import type { ClientResponse } from '../core/clientResponse.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { sendError } from '../core/gatewayAnswer.ts';
import { type Refusal, STOPPING, TOO_MANY } from '../core/refusal.ts';
import { callerFormat, matchRoute, RESPONSES, type RequestPath } from '../core/route.ts';
import type { Upstream } from '../core/upstream.ts';
import { Bookkeeper } from '../exchanges/bookkeeper.ts';
import type { Books, LaterContext } from '../exchanges/books.ts';
import { Exchange } from '../exchanges/exchange.ts';
import { discardBody } from '../http/requestBody.ts';
import { workInSomeTurn } from '../http/turns.ts';
import type { IssuedKey, KeyDetails } from '../keys/issuedKey.ts';
import { KEY_CLOSED } from '../keys/keyRefusal.ts';
import type { Admission } from '../keys/keyRing.ts';
import { type Queues, RequestQueues } from '../rateLimits/requestQueues.ts';
import { SecretGuard } from '../secrets/secretGuard.ts';
import type { TurnHead } from '../websocket/turnHeaders.ts';
import { ExchangeServer, refuse } from './exchangeServer.ts';
import { answerProbe, probeOf } from './probes.ts';
import type { RequestHandlerOptions } from './requestHandlerOptions.ts';
import { RunningExchanges } from './runningExchanges.ts';
import { SessionTracker } from './sessionTracker.ts';
import { SocketHandler } from './socketHandler.ts';
import { lastResponse } from './upgrades.ts';

const DEFAULT_MAX_EXCHANGES = 1024;

/** Admits requests with an allowed source and key, and tracks their exchanges until they end. */
export class RequestHandler {
  readonly #options: RequestHandlerOptions;
  readonly #access: Access;
  readonly #books: Books;
  readonly exchanges = new RunningExchanges();
  /** IDs of responses that were made in the background, and whose usage was counted. */
  readonly #counted = new Set<string>();
  readonly #keptOfAll = { length: 0 };
  readonly #queues: Queues;
  readonly #server: ExchangeServer;
  readonly sockets: SocketHandler;
  readonly #refusedCallers: RefusedCallers;
  readonly #sessions: SessionTracker;
  readonly #secrets: SecretGuard;
  readonly #contexts: ContextWatch;
  #isAdmitting = true;

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
    this.#access = new Access(options, (ids) => this.#endThoseOf(ids));
    this.#books = options.books ?? new Bookkeeper();
    this.#queues = options.queues ?? new RequestQueues(options.clock);
    this.#refusedCallers = new RefusedCallers(options.onRefusedCallers ?? (() => undefined));
    this.#contexts = new ContextWatch(this.#books.sessionKey ?? new Uint8Array(), (error) => options.onError?.(error));
    this.setMeasuringContext(options.measuresContext ?? true);
    this.#sessions = new SessionTracker({
      key: this.#books.sessionKey,
      meter: this.#contexts,
      findBranch: options.findBranch,
      onLoop: (loop) => options.onLoop?.(loop),
      onEnd: (sessionId) => this.#books.sessionEnded(sessionId),
    });
    this.#sessions.endsLoops = options.endsLoops === true;
    this.#secrets = new SecretGuard({
      key: this.#books.sessionKey,
      policy: options.secretPolicy ?? 'off',
      onProblem: (error) => options.onError?.(error),
    });
    this.#secrets.known = options.knownSecrets ?? [];
    this.#secrets.setUpstream(options.upstream);
    this.#server = new ExchangeServer(options, {
      books: this.#books,
      queues: this.#queues,
      sessions: this.#sessions,
      secrets: this.#secrets,
    });
    this.sockets = new SocketHandler({
      access: this.#access,
      limits: options.socketLimits,
      isAdmitting: () => this.#isAdmitting,
      onRefused: (request, socket, refusal) =>
        this.#turnAway(request, lastResponse(request, socket), RESPONSES, refusal),
      onTurn: (turn, body, response) => this.#answerTurn(turn, body, response),
      onError: (error) => options.onError?.(error),
    });
  }

  /** Takes effect immediately: the running requests of keys that are removed or rotated end. */
  setLocalKeys(keys: readonly IssuedKey[]): void {
    this.#access.setLocalKeys(keys);
    this.#queues.update(keys);
  }

  /**
   * Applies to later requests. Resolves when all requests to the previous upstream have ended, so that it can be
   * closed.
   */
  setUpstream(upstream: Upstream): Promise<void> {
    this.#server.upstream = upstream;
    this.#secrets.setUpstream(upstream);
    return this.exchanges.ended();
  }

  /** Applies to later requests. */
  setSecretPolicy(policy: SecretPolicy): void {
    this.#secrets.setPolicy(policy);
  }

  /** Applies to later requests. */
  setKnownSecrets(secrets: readonly KnownSecret[]): void {
    this.#secrets.known = secrets;
  }

  /** Applies to later requests. */
  setMeasuringContext(measuring: ContextMeasuring): void {
    this.#contexts.isOn = measuring !== false;
    this.#contexts.keepsNames = measuring === 'fileNames';
  }

  /** Applies to loops that are noticed later. */
  setEndingLoops(isOn: boolean): void {
    this.#sessions.endsLoops = isOn;
  }

  /** Whether later records have the repository and branch that a request is for, if known. By default, they do not. */
  setRecordingRepositories(isOn: boolean): void {
    this.#sessions.setRecordingRepositories(isOn);
  }

  /** Returns the names of files and commands by their hashes in the ledger, as far as they are remembered. */
  fileNames(hashes: readonly string[]): Readonly<Record<string, string>> {
    return this.#contexts.namesOf(hashes);
  }

  /** Refuses all further requests of the session. */
  endSession(sessionId: string): void {
    this.#sessions.end(sessionId);
  }

  setAllowedOrigins(origins: readonly string[]): void {
    this.#access.origins = new OriginList(origins);
  }

  /** Refuses requests on connections that are still open, because the gateway is closing. */
  stopAdmitting(): void {
    this.#isAdmitting = false;
  }

  /** Must be called when no exchange is running. */
  async dispose(): Promise<void> {
    this.#access.dispose();
    this.#refusedCallers.close();
    await this.#secrets.close();
    await this.#contexts.close();
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const route = matchRoute(request.url ?? '');
    const probe = route.kind === 'probe' ? probeOf(request, route) : undefined;
    const sourceRefusal = this.#access.checkSource(request, probe !== undefined);
    if (sourceRefusal !== undefined) {
      this.#turnAway(request, response, route, sourceRefusal);
    } else if (probe !== undefined) {
      const { isDatabaseAway = false } = this.#books;
      answerProbe(response, probe, { isAdmitting: this.#isAdmitting, isDatabaseAway });
    } else if (request.headers.origin === undefined || !this.#access.origins.admitPage(request, response)) {
      const onRefused = (reason: string) => this.#countRefused(request, { reason });
      if (route.kind === 'unknown' && this.#options.furtherPaths?.answer(request, response, onRefused) === true) return;
      // Many that arrive at once start in several turns of the event loop, so that probes are answered between.
      workInSomeTurn(() => {
        if (!response.destroyed) this.#authenticate(request, response, route);
      });
    }
  };

  /** Answers one turn of a WebSocket. The key is checked again, because it may have been removed meanwhile. */
  async #answerTurn(head: TurnHead, body: Buffer, response: ClientResponse): Promise<void> {
    const admission = await this.#access.checkKey(head.headers);
    if (response.destroyed) return;
    if (!admission.ok) {
      sendError(response, wireFormats.responses, admission.refusal.error, newRequestId(), admission.refusal.headers);
      return;
    }
    const { key } = admission;
    const exchange = this.#begin(head, response, RESPONSES, key);
    const refusal = this.#checkRoom();
    if (refusal !== undefined) exchange.refuse(refusal);
    else this.#server.serveTurn(exchange, head, key, body).catch((error: unknown) => this.#fail(exchange, error));
  }

  #authenticate(request: IncomingMessage, response: ServerResponse, route: RequestPath): void {
    const admission = this.#access.checkKey(request.headers);
    if (admission instanceof Promise) {
      // If the client has disconnected meanwhile, no event would end an exchange that starts now.
      void admission.then((late) => response.destroyed || this.#decide(request, response, route, late));
    } else {
      this.#decide(request, response, route, admission);
    }
  }

  #decide(request: IncomingMessage, response: ServerResponse, route: RequestPath, admission: Admission): void {
    if (admission.ok)
      this.#admit(this.#begin(request, response, route, admission.key), request, response, route, admission.key);
    else this.#turnAway(request, response, route, admission.refusal);
  }

  /** The sender is unknown, so no exchange is created. The request is only answered and counted. */
  #turnAway(request: IncomingMessage, response: ServerResponse, route: RequestPath, refusal: Refusal): void {
    this.#countRefused(request, refusal);
    const endpoint = route.kind === 'endpoint' ? route.endpoint : undefined;
    const format = wireFormats[callerFormat(endpoint, request.headers)];
    sendError(response, format, refusal.error, newRequestId(), refusal.headers);
    discardBody(request);
  }

  #countRefused(request: IncomingMessage, refusal: Pick<Refusal, 'reason'>): void {
    this.#refusedCallers.count(refusal, this.#access.callers.addressOf(request));
  }

  #begin(request: TurnHead, response: ClientResponse, route: RequestPath, key: KeyDetails): Exchange {
    const endpoint = route.kind === 'endpoint' ? route.endpoint : undefined;
    const format = wireFormats[callerFormat(endpoint, request.headers)];
    const id = newRequestId();
    const trace = this.#options.traffic?.begin(id, format.name, request.rawHeaders);
    const { estimator } = this.#options;
    const shared = { estimator, onSent: this.#books.sent, counted: this.#counted, keptOfAll: this.#keptOfAll };
    const options = { id, format, endpoint, trace, ...shared };
    const exchange = new Exchange(options, request, response, this.#forget);
    exchange.localKeyId = key.id;
    exchange.isMeasured = key.measuresContext !== false;
    this.exchanges.add(exchange);
    return exchange;
  }

  readonly #forget = (exchange: Exchange, ended: ExchangeRecord): void => {
    const record = this.#sessions.ended(ended, exchange.upstream);
    const { watch } = this.#secrets;
    const search = watch.isSearching ? watch.ended(exchange.id) : undefined;
    const isBilled = (record.usage?.inputTokens ?? 0) >= 1;
    const context = this.#contexts.isMeasuring ? this.#contexts.ended(exchange.id, isBilled) : undefined;
    if (search === undefined) this.#enter(exchange, record, context);
    else {
      void search.then((secrets) =>
        this.#enter(exchange, secrets.length === 0 ? record : { ...record, secrets }, context),
      );
    }
  };

  #enter(exchange: Exchange, record: ExchangeRecord, context: LaterContext | undefined): void {
    this.exchanges.delete(exchange);
    if (this.exchanges.isAwaited) this.exchanges.reportEnd(exchange);
    this.#books.enter(record, exchange.upstream, context);
    this.#options.onExchange?.(record, exchange.upstream);
    const { sampler, onError } = this.#options;
    if (sampler?.counter.isInUse) sampler.finish(record)?.catch((error: unknown) => onError?.(error));
  }

  #endThoseOf(localKeyIds: ReadonlySet<string>): void {
    for (const exchange of this.exchanges) {
      if (exchange.localKeyId !== undefined && localKeyIds.has(exchange.localKeyId)) exchange.cutOff(KEY_CLOSED);
    }
  }

  #admit(
    exchange: Exchange,
    request: IncomingMessage,
    response: ServerResponse,
    route: RequestPath,
    key: KeyDetails,
  ): void {
    const refusal = this.#access.checkForm(request, route) ?? this.#checkRoom();
    if (refusal !== undefined) {
      refuse(exchange, request, refusal);
    } else if (route.kind === 'endpoint') {
      const served = this.#server.serve(exchange, { request, response, route, key });
      served.catch((error: unknown) => this.#fail(exchange, error));
    }
  }

  #fail(exchange: Exchange, error: unknown): void {
    this.#options.onError?.(error);
    exchange.fail({ kind: 'server', status: 500, message: 'The gateway failed. See its log for details.' });
  }

  #checkRoom(): Refusal | undefined {
    if (!this.#isAdmitting) return STOPPING;
    const { maxExchanges = DEFAULT_MAX_EXCHANGES } = this.#options;
    return this.exchanges.size > maxExchanges ? TOO_MANY : this.#books.refusal;
  }
}
