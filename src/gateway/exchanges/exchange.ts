import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type ApiError, CUT_ANSWER } from '../../formats/apiError.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { ExchangeEnd } from '../../rules/exchange.ts';
import type { ClientResponse } from '../core/clientResponse.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { sendJson } from '../core/gatewayAnswer.ts';
import type { RequestMemory } from '../core/heldMemory.ts';
import type { LimitName } from '../core/keyLimits.ts';
import type { OutputSpeeds } from '../core/outputSpeeds.ts';
import { isPassed, isPricedByToken } from '../core/passedEndpoint.ts';
import { type Refusal, STOPPING } from '../core/refusal.ts';
import type { RequestSession } from '../core/requestSession.ts';
import type { AnswerSink, Routing, Upstream, UpstreamCall, UpstreamRequest, UsageCount } from '../core/upstream.ts';
import type { BilledFailure, UpstreamAttempt } from '../core/upstreamAttempt.ts';
import type { UsagePlan } from '../core/usagePlan.ts';
import type { ByteSink } from '../http/byteSink.ts';
import { isPlain } from '../http/contentEncoding.ts';
import { encodingOf, isEventStreamType, requestIdOf } from '../http/headers.ts';
import type { QueuePlace } from '../rateLimits/requestQueues.ts';
import { AnswerUsage } from '../usage/answerUsage.ts';
import { ClientAnswer } from './clientAnswer.ts';
import { type CountedAttempts, ExchangeAttempts } from './exchangeAttempts.ts';
import type { ExchangeOptions } from './exchangeOptions.ts';
import { type ExchangeSummary, exchangeRecord } from './exchangeSummary.ts';
import { FurtherReservations } from './furtherReservations.ts';
import { LAST_EVENTS, QuietStream } from './quietStream.ts';

const CUT: ApiError = { ...CUT_ANSWER, status: 502 };

/**
 * One request and its answer, up to the last byte. As a sink, it forwards the upstream's answer unchanged and no faster
 * than the client reads. The record is passed to `onEnd` when the connection has finished with the answer.
 */
export class Exchange implements AnswerSink {
  readonly id: string;
  /** The answer to the client, until its connection is closed. */
  direct: ByteSink | undefined;
  /** When it began, in milliseconds since the epoch. Its row, its day, and the period of its budget depend on it. */
  readonly at = Date.now();
  /** The caller's wire format. */
  readonly format: WireFormat;
  /** The ID of the local key that sent the request. Undefined until a valid key is found. */
  localKeyId: string | undefined;
  /** The model as named in the request. */
  model: string | undefined;
  session: RequestSession | undefined;
  /** Freed when the exchange ends. */
  memory: RequestMemory | undefined;
  /** The place in the queue of its key, if the key has limits. */
  place: QueuePlace | undefined;
  /** The upstream that was asked. If it is a router, the selected member is in the record. */
  upstream: Upstream | undefined;
  readonly #options: ExchangeOptions;
  readonly #answer: ClientAnswer;
  readonly #usage: AnswerUsage;
  readonly #userAgent: string | undefined;
  readonly #traceParent: string | undefined;
  readonly #onEnd: (exchange: Exchange, record: ExchangeRecord) => void;
  readonly #startedAt = performance.now();
  #routing: Routing | undefined;
  readonly #attempts = new ExchangeAttempts();
  #call: UpstreamCall | undefined;
  #further: FurtherReservations | undefined;
  #quiet: QuietStream | undefined;
  /** The ID of the answer that the client received, once the answer has begun. */
  #requestId: string | undefined;
  #askedAt: number | undefined;
  #bytesIn = 0;
  /** Whether a model is asked, and not only for a count or a list. */
  #asksModel = false;
  #end: ExchangeEnd = 'completed';
  #over = false;
  /** Whether an upstream has failed before anything could be billed. */
  #isUnbilled = false;
  /** Whether the gateway has canceled the call to an upstream that was answering. */
  #hasLeft = false;

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
    this.#answer.reader = this.#usage;
    this.direct = this.#answer;
    this.#userAgent = request.headers['user-agent']?.split(' ', 1)[0];
    this.#traceParent = request.headers.traceparent as string | undefined;
    this.#onEnd = onEnd;
    response.on('close', this.#close);
    response.on('drain', this.#drain);
  }

  /** Sets the maximum usage of the request, because a limit depends on it. */
  limit(plan: UsagePlan, speeds: OutputSpeeds | undefined): void {
    this.#usage.planned.plan = plan;
    this.#usage.planned.speeds = speeds;
  }

  /** What it reserves while it runs. */
  get further(): FurtherReservations {
    this.#further ??= new FurtherReservations(this, this.#usage.planned);
    return this.#further;
  }

  /** The limit of its key that it waits for in the queue. */
  get waitsFor(): LimitName | undefined {
    return this.place?.waitsFor;
  }

  /** Answers with an error of the gateway. */
  refuse({ error, headers }: Refusal, end: ExchangeEnd = 'refused'): void {
    if (this.isAnswered) return;
    this.#end = end;
    this.#sendError(error, headers);
  }

  /** Answers successfully with a body of the gateway. */
  respond(body: unknown): void {
    if (!this.isAnswered) sendJson(this, 200, body, { 'request-id': this.id, 'x-request-id': this.id });
  }

  /** Stops the exchange at whatever stage it has reached. */
  cutOff({ error, headers }: Refusal, end: ExchangeEnd = 'refused'): void {
    if (this.isAnswered) return;
    this.#end = end;
    this.#leave();
    if (this.#answer.status === undefined) this.#sendError(error, headers);
    else this.#breakOff(error);
  }

  /** When the answer began, in milliseconds since the epoch. */
  get firstByteAt(): number | undefined {
    const { firstByteAt } = this.#answer;
    return firstByteAt && this.at + firstByteAt - this.#startedAt;
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
    this.#routing = { upstream: upstream.id };
    this.session = request.session;
    this.model = model;
    this.#bytesIn = request.body?.length ?? request.bodyStream?.length ?? 0;
    this.#askedAt = performance.now();
    const { endpoint, body } = request;
    this.#asksModel = endpoint === this.format.path;
    if (this.#asksModel) this.#usage.sent({ endpoint, body, bytes: this.#bytesIn });
    else if (isPassed(endpoint)) {
      // Its bytes say nothing about its tokens.
      this.#answer.reader = undefined;
      this.#usage.sent({ endpoint, bytes: isPricedByToken(endpoint) ? this.#bytesIn : 0 });
    }
    this.#call = upstream.send(request, this.#options.trace?.asked(request, this) ?? this);
    if (this.#answer.isCongested) this.#call.pause();
  }

  /**
   * Called immediately before the request is sent to an upstream. If the process is killed earlier, the request was
   * never sent, and must not be recorded.
   */
  readonly sending = (): void => {
    if (this.#asksModel && !this.#over) this.#options.onSent?.(this);
  };

  /** Called with the body after it was forwarded to the upstream unchanged. */
  passed(body: Buffer): void {
    this.#usage.passed(body);
  }

  routed(routing: Routing): void {
    this.#options.trace?.routed(routing);
    this.#routing = routing;
    this.#usage.forget();
    this.#attempts.begin();
  }

  attempted(attempt: UpstreamAttempt, billed?: BilledFailure): void {
    this.#attempts.add(attempt, billed);
  }

  mayTryAgain(): boolean | Promise<boolean> {
    return this.#further?.attempt() ?? true;
  }

  used(count: UsageCount): void {
    this.#usage.report(count);
  }

  dropped(names: readonly string[]): void {
    if (this.#routing === undefined) return;
    this.#routing = { ...this.#routing, dropped: [...new Set([...(this.#routing.dropped ?? []), ...names])] };
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#over) return;
    this.#options.trace?.answered(headers);
    this.#requestId = requestIdOf(headers);
    const isEventStream = isEventStreamType(String(headers['content-type'] ?? ''));
    this.#answer.start(status, headers, isEventStream);
    const encoding = headers['content-encoding'] === undefined ? '' : encodingOf(headers);
    this.#usage.start({
      status,
      isEventStream,
      encoding: encoding === '' || isPlain(encoding) ? '' : encoding,
      isNative: this.#isPassedOn(),
      headers,
    });
    if (!this.#answer.isEventStream || !this.#usage.isRead) return;
    this.#quiet = new QuietStream({
      bytes: () => this.#answer.bytes,
      isWhole: () => this.#usage.hasAllOutput,
      onWhole: this.#endWhole,
    });
  }

  data(chunk: Buffer): boolean {
    return this.#over || this.#answer.data(chunk);
  }

  end(): void {
    if (this.#over) return;
    if (this.#answer.isEventStream && this.#usage.isRead) this.#endStream();
    else this.#answer.end();
  }

  #endStream(): void {
    if (this.#usage.isCut) {
      this.fail(CUT);
      return;
    }
    if (this.#usage.hasFailed) this.#end = 'upstreamFailed';
    else if (this.#usage.lacksLastEvent) this.#answer.data(Buffer.from(LAST_EVENTS[this.format.name]));
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
    if (this.#quiet !== undefined && this.#usage.hasAllOutput) {
      this.end();
      return;
    }
    this.#end = 'upstreamFailed';
    this.#isUnbilled = error.mayBeBilled !== true;
    if (this.#answer.status === undefined) this.#sendError(error);
    else this.#breakOff(error);
  }

  #breakOff(error: ApiError): void {
    this.#options.trace?.failed(error);
    const identified = { ...error, requestId: this.#requestId ?? this.id };
    this.#answer.breakOff(identified, this.#answer.isEventStream ? this.#call?.closingEvent?.(identified) : undefined);
  }

  /** Stops the exchange because the gateway does not wait for it any longer. */
  stop(): void {
    this.#leave();
    this.fail({ ...STOPPING.error, mayBeBilled: true });
  }

  #leave(): void {
    this.#hasLeft = true;
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
    if (!this.#answer.isDelivered && this.#end === 'completed') {
      this.#end = 'clientLeft';
      this.#leave();
    }
    this.#endRecord();
  };

  /** Whether the answer comes from a model and is forwarded in the caller's own format, as the upstream wrote it. */
  #isPassedOn(): boolean {
    const { format } = this;
    const { endpoint } = this.#options;
    const { format: upstreamFormat = format.name, hasOwnForm = false } = this.#routing ?? {};
    const isOwnFormat = upstreamFormat === format.name && !hasOwnForm;
    return endpoint === format.path && isOwnFormat;
  }

  /** Returns what is known about the exchange so far. */
  summary(): ExchangeSummary {
    return { ...this.#summary(), attempts: this.#attempts.over };
  }

  /** Does the same without the attempts. */
  #summary(): ExchangeSummary {
    const { firstByteAt } = this.#answer;
    return {
      id: this.id,
      at: this.at,
      localKeyId: this.localKeyId,
      userAgent: this.#userAgent,
      traceParent: this.#traceParent,
      endpoint: this.#options.endpoint,
      callerFormat: this.format.name,
      model: this.model,
      routing: this.#routing,
      upstreamFormat: this.#routing?.format ?? (this.#usage.isRead ? this.format.name : undefined),
      status: this.#answer.status,
      queueMs: this.#askedAt && this.#askedAt - this.#startedAt,
      firstByteMs: firstByteAt && firstByteAt - this.#startedAt,
      durationMs: performance.now() - this.#startedAt,
      bytesIn: this.#bytesIn,
      bytesOut: this.#answer.bytes,
      count: this.#usage.reported,
      attempts: undefined,
      session: this.session?.ids,
      agentType: this.session?.agentType,
      toolMs: this.session?.toolMs,
      repository: this.session?.repository,
      branch: this.session?.branch,
      upstreamMissReason: undefined,
      end: this.#end,
    };
  }

  /** The record of the exchange if its process ended now. */
  get soFar(): ExchangeRecord {
    return exchangeRecord({ ...this.#summary(), ...this.#attempts.soFar(this.#usage, this.#routing), end: 'lost' });
  }

  /** If usage was not reported, the record waits for its estimate. */
  #endRecord(): void {
    const summary = this.#summary();
    const { upstream = '', model = this.model ?? '' } = this.#routing ?? {};
    const mayBeBilled = this.#askedAt !== undefined && !this.#isUnbilled && this.#attempts.isUnderWay;
    const count = this.#usage.end({ mayBeBilled, hasLeft: this.#hasLeft, model: { upstream, model } });
    const finish = (known: CountedAttempts) => {
      const record = exchangeRecord({ ...summary, ...known, upstreamMissReason: this.#usage.upstreamMissReason });
      this.place?.settle(record);
      this.#onEnd(this, record);
    };
    const counted = this.#attempts.close(this.#usage, this.#routing, count);
    if (counted instanceof Promise) void counted.then(finish);
    else finish(counted);
  }
}
