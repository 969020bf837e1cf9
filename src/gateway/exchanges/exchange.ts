import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { BilledFailure, UpstreamAttempt } from '../../ledger/upstreamAttempt.ts';
import type { ExchangeEnd } from '../../rules/exchange.ts';
import type { ClientResponse } from '../core/clientResponse.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { sendJson } from '../core/gatewayAnswer.ts';
import { isPassed } from '../core/passedEndpoint.ts';
import { type Refusal, STOPPING } from '../core/refusal.ts';
import type { AnswerSink, Routing, Upstream, UpstreamCall, UpstreamRequest, UsageCount } from '../core/upstream.ts';
import type { UsageEstimator } from '../core/usageEstimator.ts';
import type { ByteSink } from '../http/byteSink.ts';
import { isPlain } from '../http/contentEncoding.ts';
import { encodingOf, isEventStreamType, requestIdOf } from '../http/headers.ts';
import type { RunningExchange } from '../traffic/protocol.ts';
import type { Trace } from '../traffic/trace.ts';
import { AnswerUsage } from '../usage/answerUsage.ts';
import type { KeptOfAll } from '../usage/passedAnswer.ts';
import type { BegunExchange } from './books.ts';
import { ClientAnswer } from './clientAnswer.ts';
import { ExchangeLog } from './exchangeLog.ts';
import { ExchangeTerms } from './exchangeTerms.ts';
import { endOfStream, failureEvents } from './failureEvents.ts';
import { FurtherReservations } from './furtherReservations.ts';
import { QuietStream } from './silence.ts';

export interface ExchangeOptions {
  readonly id: string;
  readonly format: WireFormat;
  readonly endpoint: UpstreamRequest['endpoint'] | undefined;
  /** Captures what is not in the record. */
  readonly trace: Trace | undefined;
  readonly estimator: UsageEstimator | undefined;
  /** Counts what this and the other running answers keep. */
  readonly keptOfAll: KeptOfAll;
  /** IDs of responses that were made in the background, and whose usage was counted. */
  readonly counted: Set<string>;
  /** Called before a model is asked, and again before each further attempt. */
  readonly onSent: (exchange: BegunExchange) => void;
}

/**
 * One request and its answer, up to the last byte. As a sink, it forwards the upstream's answer unchanged and no faster
 * than the client reads. The record is passed to `onEnd` when the connection has finished with the answer.
 */
export class Exchange extends ExchangeTerms implements AnswerSink {
  readonly id: string;
  /** The answer to the client, until its connection is closed. */
  direct: ByteSink | undefined;
  /** The caller's wire format. */
  readonly format: WireFormat;
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
  /** Whether it has ended, so that nothing would release a reservation. Read only. */
  isOver = false;

  constructor(
    options: ExchangeOptions,
    request: Pick<IncomingMessage, 'headers'>,
    response: ClientResponse,
    onEnd: (exchange: Exchange, record: ExchangeRecord) => void,
  ) {
    super();
    this.id = options.id;
    this.#options = options;
    this.format = options.format;
    this.#usage = new AnswerUsage(options.format.name, options.keptOfAll, options.estimator);
    this.#answer = new ClientAnswer(response, options.format, () => this.#call?.pause());
    this.#answer.reader = this.#usage.answer;
    this.direct = this.#answer;
    const { endpoint } = options;
    this.#log = new ExchangeLog({ endpoint, answer: this.#answer, usage: this.#usage }, request.headers);
    this.#onEnd = onEnd;
    response.on('close', this.#close);
    response.on('drain', this.#drain);
  }

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
    this.#sendError(error, headers);
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
    return this.isOver || this.#answer.isEnded;
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
    this.#asksModel = request.endpoint === this.format.path;
    this.#usage.asked(request, log.bytesIn, this.#asksModel, this.#options.counted);
    // Bytes of other endpoints say nothing about their tokens.
    if (!this.#asksModel && isPassed(request.endpoint)) this.#answer.reader = undefined;
    const sink = this.opens?.(this) ?? this;
    this.#call = upstream.send(request, this.#options.trace?.asked(request, sink) ?? sink);
    if (this.#answer.isCongested) this.#call.pause();
  }

  /**
   * Called immediately before the request is sent to an upstream. If the process is killed earlier, the request was
   * never sent, and must not be recorded.
   */
  readonly sending = (): void => {
    if (this.#asksModel && !this.isOver) this.#options.onSent(this);
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
    if (this.isOver) return;
    this.#options.trace?.answered(headers);
    const isEventStream = isEventStreamType(String(headers['content-type'] ?? ''));
    const isChanged = this.outputLimit !== undefined || this.sealed !== undefined;
    this.#answer.start(status, isChanged ? this.withNotes(headers) : headers, isEventStream);
    const encoding = headers['content-encoding'] === undefined ? '' : encodingOf(headers);
    this.#usage.start({
      status,
      isEventStream,
      encoding: encoding === '' || isPlain(encoding) ? '' : encoding,
      isNative: this.#log.isPassedOn(this.format),
      headers,
    });
    if (!this.#answer.isEventStream || !this.#usage.answer.isRead) return;
    this.#quiet = new QuietStream(this.#answer, this.#usage.answer, this.#endWhole);
  }

  data(chunk: Buffer): boolean {
    return this.isOver || this.#answer.data(chunk);
  }

  end(): void {
    if (this.isOver) return;
    if (this.#answer.events !== undefined) this.#answer.endEvents();
    if (this.#answer.isEventStream && this.#usage.answer.isRead) {
      const { cut, hasFailed, missing } = endOfStream(this.format, this.#usage.answer);
      if (cut !== undefined) {
        this.fail(cut);
        return;
      }
      if (hasFailed) this.#log.end = 'upstreamFailed';
      if (missing !== undefined) this.#answer.data(Buffer.from(missing));
    }
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
    if (this.#quiet !== undefined && this.#usage.answer.progress?.hasAllOutput === true) {
      this.end();
      return;
    }
    this.#log.end = 'upstreamFailed';
    this.#log.isUnbilled = error.mayBeBilled !== true;
    this.#sendError(error);
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

  /** Answers with an error, or ends an answer with it that has begun. */
  #sendError(error: ApiError, headers?: OutgoingHttpHeaders): void {
    this.#options.trace?.failed(error);
    if (this.#answer.status === undefined) {
      this.#answer.sendError(error, this.id, headers);
      return;
    }
    // The client has received the ID in the headers of the answer.
    const identified = { ...error, requestId: requestIdOf(this.#usage.answer.form?.headers ?? {}) ?? this.id };
    this.#answer.endEvents();
    const closing = this.#answer.isEventStream ? this.#call?.closingEvent?.(identified) : undefined;
    this.#answer.breakOff(closing ?? failureEvents(this.format, identified, this.#usage.answer));
  }

  readonly #drain = (): void => {
    this.#answer.drained();
    this.#call?.resume();
  };

  /** Called exactly once: after the last byte is handed to the operating system, or when the client disconnects. */
  readonly #close = (): void => {
    this.isOver = true;
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

  get running(): RunningExchange {
    return this.#log.running(this, this.place?.waitsFor);
  }
}
