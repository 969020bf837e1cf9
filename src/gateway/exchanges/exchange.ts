import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { BilledFailure, UpstreamAttempt } from '../../ledger/upstreamAttempt.ts';
import type { ExchangeEnd } from '../../rules/exchange.ts';
import type { ClientResponse } from '../core/clientResponse.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { sendJson } from '../core/gatewayAnswer.ts';
import type { RequestMemory } from '../core/heldMemory.ts';
import { isFree, isPassed, isPricedByToken } from '../core/passedEndpoint.ts';
import { type Refusal, STOPPING } from '../core/refusal.ts';
import type { RequestSession } from '../core/requestSession.ts';
import type { SealedFacts } from '../core/standIns.ts';
import type {
  AnswerSink,
  Endpoint,
  Routing,
  Upstream,
  UpstreamCall,
  UpstreamRequest,
  UsageCount,
} from '../core/upstream.ts';
import type { UsageEstimator } from '../core/usageEstimator.ts';
import type { ByteSink } from '../http/byteSink.ts';
import { isPlain } from '../http/contentEncoding.ts';
import { encodingOf, isEventStreamType, requestIdOf } from '../http/headers.ts';
import type { QueuePlace } from '../rateLimits/requestQueues.ts';
import type { RunningExchange } from '../traffic/protocol.ts';
import type { Trace } from '../traffic/trace.ts';
import { AnswerUsage } from '../usage/answerUsage.ts';
import type { BegunExchange } from './books.ts';
import { ClientAnswer } from './clientAnswer.ts';
import { ExchangeLog } from './exchangeLog.ts';
import { errorOfCut, failureEvents, missingFailure } from './failureEvents.ts';
import { FurtherReservations } from './furtherReservations.ts';
import { LAST_EVENTS, QuietStream } from './silence.ts';

/** What is known when the exchange begins, or before an upstream is asked. */
export interface ExchangeOptions {
  readonly id: string;
  readonly format: WireFormat;
  readonly endpoint: Endpoint | undefined;
  /** Captures what is not in the record. */
  readonly trace: Trace | undefined;
  /** Estimates usage that is not reported. */
  readonly estimator: UsageEstimator | undefined;
  /** IDs of responses that were made in the background, and whose usage was counted. */
  readonly counted: Set<string>;
  /** Called before a model is asked, and again before each further attempt. */
  readonly onSent: (exchange: BegunExchange) => void;
}

/**
 * One request and its answer, up to the last byte. As a sink, it forwards the upstream's answer unchanged and no faster
 * than the client reads. The record is passed to `onEnd` when the connection has finished with the answer.
 */
export class Exchange implements AnswerSink {
  readonly id: string;
  /** The answer to the client, until its connection is closed. */
  direct: ByteSink | undefined;
  /** The caller's wire format. */
  readonly format: WireFormat;
  /** The ID of the local key that sent the request. Undefined until a valid key is found. */
  localKeyId: string | undefined;
  /** Whether it may be measured what the request consists of. */
  isMeasured = true;
  /** The model as named in the request. */
  model: string | undefined;
  session: RequestSession | undefined;
  /** Freed when the exchange ends. */
  memory: RequestMemory | undefined;
  /** The place in the queue of its key, if the key has limits. */
  place: QueuePlace | undefined;
  /** The limit of the output that the gateway has set, because a budget covers no more. In tokens. */
  outputLimit: number | undefined;
  /** The secrets that were replaced in the request. */
  sealed: SealedFacts | undefined;
  /** Returns the sink that restores them in the answer. */
  opens: ((sink: AnswerSink) => AnswerSink) | undefined;
  /** The upstream that was asked. If it is a router, the selected member is in the record. */
  upstream: Upstream | undefined;
  readonly #options: ExchangeOptions;
  readonly #answer: ClientAnswer;
  readonly #usage: AnswerUsage;
  readonly #log: ExchangeLog;
  readonly #onEnd: (exchange: Exchange, record: ExchangeRecord) => void;
  #call: UpstreamCall | undefined;
  #further: FurtherReservations | undefined;
  #quiet: QuietStream | undefined;
  /** Whether a model is asked, and not only for a count or a list. */
  #asksModel = false;
  #over = false;

  constructor(
    options: ExchangeOptions,
    request: Pick<IncomingMessage, 'headers'>,
    response: ClientResponse,
    onEnd: (exchange: Exchange, record: ExchangeRecord) => void,
  ) {
    this.id = options.id;
    this.#options = options;
    this.format = options.format;
    this.#usage = new AnswerUsage(options.format.name, options.estimator);
    this.#answer = new ClientAnswer(response, options.format, () => this.#call?.pause());
    this.#answer.reader = this.#usage.answer;
    this.direct = this.#answer;
    const { endpoint } = options;
    this.#log = new ExchangeLog({ endpoint, answer: this.#answer, usage: this.#usage }, request.headers);
    this.#onEnd = onEnd;
    response.on('close', this.#close);
    response.on('drain', this.#drain);
  }

  /** What it reserves while it runs. */
  get further(): FurtherReservations {
    this.#further ??= new FurtherReservations(this, this.#usage.planned);
    return this.#further;
  }

  /** Answers with an error of the gateway. */
  refuse({ error, headers }: Refusal, end: ExchangeEnd = 'refused'): void {
    if (this.isAnswered) return;
    this.#log.end = end;
    this.#sendError(error, headers);
  }

  /** Answers successfully with a body of the gateway. */
  respond(body: unknown): void {
    if (!this.isAnswered) sendJson(this, 200, body, { 'request-id': this.id, 'x-request-id': this.id });
  }

  /** Stops the exchange at whatever stage it has reached. */
  cutOff({ error, headers }: Refusal, end: ExchangeEnd = 'refused'): void {
    if (this.isAnswered) return;
    this.#log.end = end;
    this.#leave();
    if (this.#answer.status === undefined) this.#sendError(error, headers);
    else this.#breakOff(error);
  }

  /** When it began, in milliseconds since the epoch. */
  get at(): number {
    return this.#log.at;
  }

  /** When the answer began, in milliseconds since the epoch. */
  get firstByteAt(): number | undefined {
    const { firstByteAt } = this.#answer;
    return firstByteAt && this.at + firstByteAt - this.#log.startedAt;
  }

  /** Whether nothing can be added to the answer, because it is complete or the client has disconnected. */
  get isAnswered(): boolean {
    return this.#over || this.#answer.isEnded;
  }

  /** Whether it has ended, so that nothing would release a reservation. */
  get isOver(): boolean {
    return this.#over;
  }

  /** Asks the upstream, unless the client has disconnected or the exchange was stopped. */
  ask(upstream: Upstream, request: UpstreamRequest, model?: string): void {
    if (this.isAnswered) return;
    this.upstream = upstream;
    const log = this.#log;
    log.routing = { upstream: upstream.id };
    this.session = request.session;
    this.model = model;
    log.bytesIn = request.body?.length ?? request.bodyStream?.length ?? 0;
    log.askedAt = performance.now();
    const { endpoint, body } = request;
    this.#asksModel = endpoint === this.format.path;
    if (this.#asksModel) this.#usage.sent({ endpoint, body, bytes: log.bytesIn });
    else if (endpoint === '/responses/') this.#usage.polls(this.#options.counted);
    else if (isPassed(endpoint)) {
      // Its bytes say nothing about its tokens.
      this.#answer.reader = undefined;
      if (!isFree(endpoint)) this.#usage.sent({ endpoint, bytes: isPricedByToken(endpoint) ? log.bytesIn : 0 });
    }
    const sink = this.opens?.(this) ?? this;
    this.#call = upstream.send(request, this.#options.trace?.asked(request, sink) ?? sink);
    if (this.#answer.isCongested) this.#call.pause();
  }

  /**
   * Called immediately before the request is sent to an upstream. If the process is killed earlier, the request was
   * never sent, and must not be recorded.
   */
  readonly sending = (): void => {
    if (this.#asksModel && !this.#over) this.#options.onSent(this);
  };

  /** Called with the body after it was forwarded to the upstream unchanged. */
  passed(body: Buffer): void {
    this.#usage.passed(body);
  }

  routed(routing: Routing): void {
    this.#options.trace?.routed(routing);
    this.#log.routed(routing);
    this.#usage.forget();
  }

  attempted(attempt: UpstreamAttempt, billed?: BilledFailure): void {
    this.#log.attempted(attempt, billed);
  }

  mayTryAgain(): boolean | Promise<boolean> {
    return this.#further?.attempt() ?? true;
  }

  used(count: UsageCount): void {
    this.#usage.report(count);
  }

  dropped(names: readonly string[]): void {
    this.#log.dropped(names);
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#over) return;
    this.#options.trace?.answered(headers);
    const isEventStream = isEventStreamType(String(headers['content-type'] ?? ''));
    this.#answer.start(
      status,
      this.outputLimit === undefined && this.sealed === undefined ? headers : withNotes(headers, this),
      isEventStream,
    );
    const encoding = headers['content-encoding'] === undefined ? '' : encodingOf(headers);
    this.#usage.start({
      status,
      isEventStream,
      encoding: encoding === '' || isPlain(encoding) ? '' : encoding,
      isNative: this.#log.isPassedOn(this.format),
      headers,
    });
    if (!this.#answer.isEventStream || !this.#usage.answer.isRead) return;
    this.#quiet = new QuietStream({
      bytes: () => this.#answer.bytes,
      isWhole: () => this.#usage.answer.hasAllOutput,
      onWhole: this.#endWhole,
    });
  }

  data(chunk: Buffer): boolean {
    return this.#over || this.#answer.data(chunk);
  }

  end(): void {
    if (this.#over) return;
    if (this.#answer.events !== undefined) this.#answer.endEvents();
    if (this.#answer.isEventStream && this.#usage.answer.isRead) this.#endStream();
    else this.#answer.end();
  }

  #endStream(): void {
    if (this.#usage.answer.isCut) {
      this.fail(errorOfCut(this.format, this.#usage.answer.lastBytes));
      return;
    }
    if (this.#usage.answer.hasFailed) {
      this.#log.end = 'upstreamFailed';
      const missing = missingFailure(this.format, this.#usage.answer);
      if (missing !== undefined) this.#answer.data(Buffer.from(missing));
    } else if (this.#usage.answer.lacksLastEvent) this.#answer.data(Buffer.from(LAST_EVENTS[this.format.name]));
    this.#answer.end();
  }

  /** Ends the answer if the upstream has sent everything and leaves the connection open. */
  readonly #endWhole = (): void => {
    if (this.isAnswered) return;
    this.#call?.cancel();
    this.end();
  };

  /** A failure of the connection does not concern an answer that is complete. */
  fail(error: ApiError): void {
    if (this.isAnswered) return;
    this.#answer.endEvents();
    if (this.#quiet !== undefined && this.#usage.answer.hasAllOutput) {
      this.end();
      return;
    }
    this.#log.end = 'upstreamFailed';
    this.#log.isUnbilled = error.mayBeBilled !== true;
    if (this.#answer.status === undefined) this.#sendError(error);
    else this.#breakOff(error);
  }

  #breakOff(error: ApiError): void {
    this.#options.trace?.failed(error);
    // The client has received the ID in the headers of the answer.
    const identified = { ...error, requestId: requestIdOf(this.#usage.answer.form?.headers ?? {}) ?? this.id };
    this.#answer.endEvents();
    const closing = this.#answer.isEventStream ? this.#call?.closingEvent?.(identified) : undefined;
    this.#answer.breakOff(closing ?? failureEvents(this.format, identified, this.#usage.answer));
  }

  /** Stops the exchange because the gateway does not wait for it any longer. */
  stop(): void {
    this.#leave();
    this.fail({ ...STOPPING.error, mayBeBilled: true });
  }

  #leave(): void {
    this.#log.hasLeft = true;
    this.#call?.cancel();
  }

  #sendError(error: ApiError, headers?: OutgoingHttpHeaders): void {
    this.#options.trace?.failed(error);
    this.#answer.sendError(error, this.id, headers);
  }

  readonly #drain = (): void => {
    this.#answer.drained();
    this.#call?.resume();
  };

  /** Called exactly once: after the last byte is handed to the operating system, or when the client disconnects. */
  readonly #close = (): void => {
    this.#over = true;
    this.direct = undefined;
    this.place?.leave();
    this.memory?.release();
    this.#quiet?.close();
    this.#answer.closed();
    if (!this.#answer.isDelivered && this.#log.end === 'completed') {
      this.#log.end = 'clientLeft';
      this.#leave();
    }
    this.#log.close(this, (record) => {
      this.place?.settle(record);
      this.#onEnd(this, record);
    });
  };

  /** The record of the exchange if its process ended now. */
  get soFar(): ExchangeRecord {
    return this.#log.soFar(this);
  }

  /** The exchange in a list of those that have not ended. */
  get running(): RunningExchange {
    return this.#log.running(this, this.place?.waitsFor);
  }
}

function withNotes(headers: OutgoingHttpHeaders, { outputLimit, sealed }: Exchange): OutgoingHttpHeaders {
  return {
    ...headers,
    ...(outputLimit !== undefined && { 'x-model-access-output-limit': String(outputLimit) }),
    ...(sealed !== undefined && { 'x-model-access-sealed': String(sealed.count) }),
  };
}
