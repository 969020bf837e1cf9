import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type ApiError, CUT_ANSWER } from '../../formats/apiError.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { ExchangeEnd } from '../../rules/exchange.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { ExchangeTrace } from '../core/exchangeTrace.ts';
import { sendJson } from '../core/gatewayAnswer.ts';
import type { LimitName } from '../core/keyLimits.ts';
import { type Refusal, STOPPING } from '../core/refusal.ts';
import type { RequestSession } from '../core/requestSession.ts';
import type {
  AnswerSink,
  Endpoint,
  Routing,
  Upstream,
  UpstreamCall,
  UpstreamRequest,
  UsageCount,
} from '../core/upstream.ts';
import type { BilledFailure, UpstreamAttempt } from '../core/upstreamAttempt.ts';
import { requestIdOf } from '../core/upstreamError.ts';
import type { UsageEstimator } from '../core/usageEstimator.ts';
import type { UsagePlan } from '../core/usagePlan.ts';
import { encodingOf } from '../http/answerHeaders.ts';
import { isPlain } from '../http/contentEncoding.ts';
import type { QueuePlace } from '../rateLimits/requestQueues.ts';
import { AnswerUsage } from '../usage/answerUsage.ts';
import { ClientAnswer } from './clientAnswer.ts';
import { type CountedAttempts, ExchangeAttempts } from './exchangeAttempts.ts';
import { type ExchangeSummary, exchangeRecord } from './exchangeSummary.ts';
import { LAST_EVENTS, QuietStream } from './quietStream.ts';

const CUT: ApiError = { ...CUT_ANSWER, status: 502 };

/** What is known when the exchange begins, or learnt before an upstream is asked. */
export interface ExchangeFacts {
  readonly id: string;
  readonly format: WireFormat;
  readonly endpoint?: Endpoint;
  /** Remembers what is not in the record. */
  readonly trace?: ExchangeTrace;
  /** Sizes up what nobody counts. */
  readonly estimator?: UsageEstimator | undefined;
  /** A model is asked. */
  readonly onSent?: (exchange: Exchange) => void;
}

/**
 * One request and its answer, to the last byte. As a sink it passes on what the upstream gives, unchanged and no
 * faster than the client reads. The record is given out when the connection is done with the answer.
 */
export class Exchange implements AnswerSink {
  readonly id: string;
  readonly #facts: ExchangeFacts;
  readonly #answer: ClientAnswer;
  readonly #usage: AnswerUsage;
  readonly #userAgent: string | undefined;
  readonly #traceParent: string | undefined;
  readonly #onEnd: (exchange: Exchange, record: ExchangeRecord) => void;
  readonly #at = Date.now();
  readonly #startedAt = performance.now();
  #localKeyId: string | undefined;
  #place: QueuePlace | undefined;
  #model: string | undefined;
  #upstream: Upstream | undefined;
  #routing: Routing | undefined;
  readonly #attempts = new ExchangeAttempts();
  #setAside: (() => Promise<Refusal | undefined>) | undefined;
  #lastTurns: Promise<void> | undefined;
  #session: RequestSession | undefined;
  #call: UpstreamCall | undefined;
  #quiet: QuietStream | undefined;
  /** What the client knows the answer by, once it has begun. */
  #requestId: string | undefined;
  #askedAt: number | undefined;
  #bytesIn = 0;
  #end: ExchangeEnd = 'completed';
  #over = false;
  /** Whether an upstream has failed before it could do anything that costs. */
  #isUnbilled = false;

  constructor(
    facts: ExchangeFacts,
    request: IncomingMessage,
    response: ServerResponse,
    onEnd: (exchange: Exchange, record: ExchangeRecord) => void,
  ) {
    this.id = facts.id;
    this.#facts = facts;
    this.#usage = new AnswerUsage(facts.format.name, facts.estimator);
    this.#answer = new ClientAnswer(response, facts.format);
    this.#userAgent = request.headers['user-agent']?.split(' ', 1)[0];
    this.#traceParent = request.headers.traceparent as string | undefined;
    this.#onEnd = onEnd;
    response.on('close', this.#close).on('drain', this.#drain);
  }

  /** Whose it is; absent as long as no valid key was found. */
  get localKeyId(): string | undefined {
    return this.#localKeyId;
  }

  set localKeyId(id: string) {
    this.#localKeyId = id;
  }

  /** That was asked; what stands behind it is in the record. */
  get upstream(): Upstream | undefined {
    return this.#upstream;
  }

  /** That its caller speaks. */
  get format(): WireFormat {
    return this.#facts.format;
  }

  /** As the request names it. */
  set model(name: string | undefined) {
    this.#model = name;
  }

  set session(session: RequestSession) {
    this.#session = session;
  }

  /** What it may use, where a limit goes by it. */
  set plan(plan: UsagePlan) {
    this.#usage.plan = plan;
  }

  /** Sets aside again what it may use, where a limit goes by it. Resolves with why it may not be used. */
  set setAside(again: () => Promise<Refusal | undefined>) {
    this.#setAside = again;
  }

  /** Sets aside what the service uses when it asks its model again. Resolves with why it may not. */
  set setAsideTurns(setAside: (turns: number) => Promise<Refusal | undefined>) {
    this.#usage.onTurns = (turns) => {
      this.#lastTurns = this.#setAsideTurns(turns, setAside, this.#lastTurns);
    };
  }

  /** One after the other, and nothing after the end, when nobody would release it. */
  async #setAsideTurns(
    turns: number,
    setAside: (turns: number) => Promise<Refusal | undefined>,
    before: Promise<void> | undefined,
  ): Promise<void> {
    await before;
    if (this.#over) return;
    const refusal = await setAside(turns);
    if (refusal === undefined || this.isAnswered) return;
    this.#usage.leaveNextTurn();
    this.cutOff(refusal, 'budget');
  }

  /** In the queue of its key, where the key has limits. */
  set place(place: QueuePlace) {
    this.#place = place;
  }

  /** The limit of its key for which it waits in the queue. */
  get waitsFor(): LimitName | undefined {
    return this.#place?.waitsFor;
  }

  /** The gateway itself answers. */
  refuse({ error, headers }: Refusal, end: ExchangeEnd = 'refused'): void {
    if (this.isAnswered) return;
    this.#end = end;
    this.#sendError(error, headers);
  }

  /** The gateway itself answers, with what was asked for. */
  respond(body: unknown): void {
    if (!this.isAnswered) sendJson(this, 200, body, { 'request-id': this.id, 'x-request-id': this.id });
  }

  /** It may not go on, wherever it is. */
  cutOff({ error, headers }: Refusal, end: ExchangeEnd = 'refused'): void {
    if (this.isAnswered) return;
    this.#end = end;
    this.#call?.cancel();
    if (this.#answer.status === undefined) this.#sendError(error, headers);
    else this.#breakOff(error);
  }

  /** When the answer began, in milliseconds since the epoch. */
  get firstByteAt(): number | undefined {
    const { firstByteAt } = this.#answer;
    return firstByteAt && this.#at + firstByteAt - this.#startedAt;
  }

  /** Whether nothing can be added any more: all was said, or the client has left. */
  get isAnswered(): boolean {
    return this.#over || this.#answer.isEnded;
  }

  /** Asks the upstream, unless the client has gone in the meantime or was cut off. */
  ask(upstream: Upstream, request: UpstreamRequest, model?: string): void {
    if (this.isAnswered) return;
    this.#upstream = upstream;
    this.#routing = { upstream: upstream.id };
    this.#session = request.session;
    this.model = model;
    this.#bytesIn = request.body?.length ?? request.bodyStream?.length ?? 0;
    this.#askedAt = performance.now();
    const { endpoint, body } = request;
    if (endpoint === this.#facts.format.path) {
      this.#usage.sent({ endpoint, body, bytes: this.#bytesIn });
      this.#facts.onSent?.(this);
    }
    this.#call = upstream.send(request, this.#facts.trace?.asked(request, this) ?? this);
    if (this.#answer.isCongested) this.#call.pause();
  }

  /** The request has gone as it came. */
  passed(body: Uint8Array): void {
    this.#usage.passed(body);
  }

  routed(routing: Routing): void {
    this.#facts.trace?.routed(routing);
    this.#routing = routing;
    this.#usage.forget();
    this.#attempts.begin();
  }

  attempted(attempt: UpstreamAttempt, billed?: BilledFailure): void {
    this.#attempts.add(attempt, billed);
  }

  mayTryAgain(): boolean | Promise<boolean> {
    return this.#setAside === undefined || this.#setAsideAgain(this.#setAside);
  }

  async #setAsideAgain(setAside: () => Promise<Refusal | undefined>): Promise<boolean> {
    const refusal = await setAside();
    if (this.isAnswered) return false;
    if (refusal !== undefined) this.cutOff(refusal, 'budget');
    else this.#facts.onSent?.(this);
    return refusal === undefined;
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
    this.#facts.trace?.answered(headers);
    this.#requestId = requestIdOf(headers);
    this.#answer.start(status, headers);
    const encoding = encodingOf(headers);
    this.#usage.start({
      status,
      contentType: String(headers['content-type'] ?? ''),
      encoding: isPlain(encoding) ? '' : encoding,
      isNative: this.#isPassedOn(),
    });
    if (!this.#answer.isEventStream || !this.#usage.isRead) return;
    this.#quiet = new QuietStream({
      bytes: () => this.#answer.bytes,
      isWhole: () => this.#usage.hasSaidAll,
      onWhole: this.#endWhole,
    });
  }

  data(chunk: Uint8Array | string): boolean {
    if (this.#over) return true;
    const goesOn = this.#answer.write(chunk);
    this.#usage.add(chunk);
    if (!goesOn) this.#call?.pause();
    return goesOn;
  }

  end(): void {
    if (this.#over) return;
    if (this.#answer.isEventStream && this.#usage.isCut) {
      this.fail(CUT);
      return;
    }
    if (this.#answer.isEventStream && this.#usage.hasFailed) this.#end = 'upstreamFailed';
    else if (this.#answer.isEventStream && this.#usage.lacksLastEvent)
      this.#answer.write(LAST_EVENTS[this.format.name]);
    this.#answer.end();
  }

  /** The upstream has said everything and leaves the connection open. */
  readonly #endWhole = (): void => {
    if (this.isAnswered) return;
    this.#call?.cancel();
    this.end();
  };

  fail(error: ApiError): void {
    if (this.isAnswered) return;
    this.#end = 'upstreamFailed';
    this.#isUnbilled = error.mayBeBilled !== true;
    if (this.#answer.status === undefined) this.#sendError(error);
    else this.#breakOff(error);
  }

  #breakOff(error: ApiError): void {
    this.#facts.trace?.failed(error);
    const told = { ...error, requestId: this.#requestId ?? this.id };
    this.#answer.breakOff(told, this.#answer.isEventStream ? this.#call?.closingEvent?.(told) : undefined);
  }

  /** The gateway stops and waits no longer. */
  stop(): void {
    this.#call?.cancel();
    this.fail({ ...STOPPING.error, mayBeBilled: true });
  }

  #sendError(error: ApiError, headers?: OutgoingHttpHeaders): void {
    this.#facts.trace?.failed(error);
    this.#answer.sendError(error, this.id, headers);
  }

  readonly #drain = (): void => {
    this.#answer.drained();
    this.#call?.resume();
  };

  /** Comes exactly once: after the last byte was handed to the system, or when the client left. */
  readonly #close = (): void => {
    this.#over = true;
    this.#place?.leave();
    this.#quiet?.close();
    this.#answer.closed();
    if (!this.#answer.isDelivered && this.#end === 'completed') {
      this.#end = 'clientLeft';
      this.#call?.cancel();
    }
    this.#endRecord();
  };

  /** Whether the answer is a model's in the caller's own format, as the upstream wrote it. */
  #isPassedOn(): boolean {
    const { endpoint, format } = this.#facts;
    const { format: spoken = format.name, hasOwnForm = false } = this.#routing ?? {};
    const isOwnFormat = spoken === format.name && !hasOwnForm;
    return endpoint === format.path && isOwnFormat;
  }

  /** What is known of it so far. */
  summary(durationMs = performance.now() - this.#startedAt): ExchangeSummary {
    const { firstByteAt } = this.#answer;
    return {
      id: this.id,
      at: this.#at,
      localKeyId: this.#localKeyId,
      userAgent: this.#userAgent,
      traceParent: this.#traceParent,
      endpoint: this.#facts.endpoint,
      callerFormat: this.format.name,
      model: this.#model,
      routing: this.#routing,
      upstreamFormat: this.#routing?.format ?? (this.#usage.isRead ? this.format.name : undefined),
      status: this.#answer.status,
      queueMs: this.#askedAt && this.#askedAt - this.#startedAt,
      firstByteMs: firstByteAt && firstByteAt - this.#startedAt,
      durationMs,
      bytesIn: this.#bytesIn,
      bytesOut: this.#answer.bytes,
      count: this.#usage.reported,
      attempts: this.#attempts.over,
      session: this.#session?.ids,
      end: this.#end,
    };
  }

  /** The record that it would give if its process died now. */
  get soFar(): ExchangeRecord {
    return exchangeRecord({ ...this.summary(), ...this.#attempts.soFar(this.#usage, this.#routing), end: 'lost' });
  }

  /** Where nobody has counted, the record waits until that was made up for. */
  #endRecord(): void {
    const summary = this.summary();
    const { upstream = '', model = this.#model ?? '' } = this.#routing ?? {};
    const mayBeBilled = this.#askedAt !== undefined && !this.#isUnbilled && this.#attempts.isUnderWay;
    const isBroken = this.#end === 'upstreamFailed';
    const count = this.#usage.end({ mayBeBilled, isBroken, model: { upstream, model } });
    const give = (known: CountedAttempts) => {
      const record = exchangeRecord({ ...summary, ...known });
      this.#place?.settle(record);
      this.#onEnd(this, record);
    };
    const counted = this.#attempts.close(this.#usage, this.#routing, count);
    if (counted instanceof Promise) void counted.then(give);
    else give(counted);
  }
}
