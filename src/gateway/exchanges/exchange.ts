import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { type Refusal, STOPPING } from '../access/refusal.ts';
import { sendJson } from '../routing/localAnswer.ts';
import { sendError } from '../sendError.ts';
import { isPlain } from '../upstreams/contentEncoding.ts';
import type {
  AnswerSink,
  Endpoint,
  Routing,
  Upstream,
  UpstreamCall,
  UpstreamRequest,
  UsageCount,
} from '../upstreams/upstream.ts';
import { brokenStreamEvent } from './brokenStream.ts';
import { endsAtEvent, heart, heartbeatOf, type Pulse, tailAfter } from './heartbeat.ts';
import { PlannedUsage, type UsagePlan } from './plannedUsage.ts';
import { type ExchangeEnd, type ExchangeRecord, type ExchangeSummary, exchangeRecord } from './record.ts';
import type { ExchangeTrace } from './trace.ts';
import { encodingOf } from './translation/answerHeaders.ts';
import { UsageMeter } from './usageMeter.ts';

const CUT: ApiError = {
  kind: 'network',
  status: 502,
  message: 'The answer was cut: the upstream closed the stream before its last event.',
};

/** What is known when the exchange begins, or learnt before an upstream is asked. */
export interface ExchangeFacts {
  readonly id: string;
  readonly format: WireFormat;
  readonly endpoint?: Endpoint;
  /** Remembers what is not in the record. */
  readonly trace?: ExchangeTrace;
}

/**
 * One request and its answer, to the last byte. As a sink it passes on what the upstream gives, unchanged and no
 * faster than the client reads. The record is given out when the connection is done with the answer.
 */
export class Exchange implements AnswerSink, Pulse {
  readonly id: string;
  readonly #facts: ExchangeFacts;
  readonly #response: ServerResponse;
  readonly #userAgent: string | undefined;
  readonly #onEnd: (exchange: Exchange, record: ExchangeRecord) => void;
  readonly #at = Date.now();
  readonly #startedAt = performance.now();
  #localKeyId: string | undefined;
  #model: string | undefined;
  #upstream: Upstream | undefined;
  #routing: Routing | undefined;
  #call: UpstreamCall | undefined;
  #congested = false;
  #isEventStream = false;
  #isSilent = false;
  /** Reads along where the answer is passed on as it comes. */
  #meter: UsageMeter | undefined;
  #count: UsageCount | undefined;
  #planned: PlannedUsage | undefined;
  #tail: Uint8Array | string = '';
  #askedAt: number | undefined;
  #firstByteAt: number | undefined;
  #bytesIn = 0;
  #bytesOut = 0;
  #end: ExchangeEnd = 'completed';
  #over = false;

  constructor(
    facts: ExchangeFacts,
    request: IncomingMessage,
    response: ServerResponse,
    onEnd: (exchange: Exchange, record: ExchangeRecord) => void,
  ) {
    this.id = facts.id;
    this.#facts = facts;
    this.#response = response;
    this.#userAgent = request.headers['user-agent']?.split(' ', 1)[0];
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

  /** What it may use, when that counts against a budget. */
  set plan(plan: UsagePlan) {
    this.#planned = new PlannedUsage(plan, this.#facts.format);
  }

  /** The gateway itself answers. */
  refuse({ error, headers }: Refusal, end: ExchangeEnd = 'refused'): void {
    if (this.isAnswered) return;
    this.#end = end;
    this.#sendError(error, headers);
  }

  /** The gateway itself answers, with what was asked for. */
  tell(body: unknown): void {
    if (!this.isAnswered) sendJson(this, 200, body, { 'request-id': this.id, 'x-request-id': this.id });
  }

  /** It may not go on, wherever it is. */
  cutOff({ error, headers }: Refusal, end: ExchangeEnd = 'refused'): void {
    if (this.isAnswered) return;
    this.#end = end;
    this.#call?.cancel();
    if (this.#response.headersSent) this.#breakOff(error);
    else this.#sendError(error, headers);
  }

  /** Whether nothing can be added any more: all was said, or the client has left. */
  get isAnswered(): boolean {
    return this.#over || this.#response.writableEnded;
  }

  /** Asks the upstream, unless the client has gone in the meantime or was cut off. */
  ask(upstream: Upstream, request: UpstreamRequest, model?: string): void {
    if (this.isAnswered) return;
    this.#upstream = upstream;
    this.#routing = { upstream: upstream.id };
    this.model = model;
    this.#bytesIn = request.body?.length ?? request.bodyStream?.length ?? 0;
    this.#askedAt = performance.now();
    this.#call = upstream.send(request, this.#facts.trace?.asked(request, this) ?? this);
    if (this.#congested) this.#call.pause();
  }

  routed(routing: Routing): void {
    this.#facts.trace?.routed(routing);
    this.#routing = routing;
  }

  used(count: UsageCount): void {
    this.#count = count;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#over) return;
    this.#firstByteAt = performance.now();
    this.#facts.trace?.answered(headers);
    this.#isEventStream = isPlainEventStream(headers);
    if (this.#isPassedOn(status, headers)) {
      this.#meter = new UsageMeter(this.#facts.format.name, String(headers['content-type'] ?? ''));
    }
    this.#planned?.start(status, this.#isEventStream ? 'stream' : isPlain(encodingOf(headers)) ? 'body' : 'packed');
    this.#response.writeHead(status, headers);
    if (this.#isEventStream) heart.add(this);
    process.nextTick(this.#flushHeaders);
  }

  data(chunk: Uint8Array | string): boolean {
    if (this.#over) return true;
    this.#isSilent = false;
    if (this.#isEventStream) this.#tail = tailAfter(this.#tail, chunk);
    this.#bytesOut += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    const goesOn = this.#response.write(chunk);
    this.#meter?.add(chunk);
    this.#planned?.add(chunk);
    if (goesOn) return true;
    this.#congested = true;
    this.#call?.pause();
    return false;
  }

  end(): void {
    if (this.#over) return;
    if (this.#isEventStream && this.#meter?.isCut) this.fail(CUT);
    else this.#response.end();
  }

  /** Keeps the client waiting where the upstream is silent, but never in the middle of an event. */
  beat(): void {
    const wasSilent = this.#isSilent;
    this.#isSilent = true;
    if (!wasSilent || this.#congested || this.#response.writableEnded || !endsAtEvent(this.#tail)) return;
    const heartbeat = heartbeatOf(this.#facts.format.name, this.#bytesOut > 0);
    this.#bytesOut += heartbeat.length;
    this.#response.write(heartbeat);
  }

  fail(error: ApiError): void {
    if (this.isAnswered) return;
    this.#end = 'upstreamFailed';
    if (this.#response.headersSent) this.#breakOff(error);
    else this.#sendError(error);
  }

  /** What the client already has stays; it must be able to see that the answer is not whole. */
  #breakOff(error: ApiError): void {
    this.#facts.trace?.failed(error);
    if (this.#isEventStream) {
      const event = this.#call?.lastWords?.(error) ?? brokenStreamEvent(this.#facts.format, error);
      this.#bytesOut += Buffer.byteLength(event);
      this.#response.end(event);
    } else {
      this.#response.destroy();
    }
  }

  /** The gateway stops and waits no longer. */
  stop(): void {
    this.#call?.cancel();
    this.fail(STOPPING.error);
  }

  #sendError(error: ApiError, headers?: OutgoingHttpHeaders): void {
    this.#firstByteAt = performance.now();
    this.#facts.trace?.failed(error);
    this.#bytesOut = sendError(this.#response, this.#facts.format, error, this.id, headers);
  }

  /** Headers wait for the first data of the same packet, but no longer. */
  readonly #flushHeaders = (): void => {
    if (this.#bytesOut === 0 && !this.#response.writableEnded) this.#response.flushHeaders();
  };

  readonly #drain = (): void => {
    this.#congested = false;
    this.#call?.resume();
  };

  /** Comes exactly once: after the last byte was handed to the system, or when the client left. */
  readonly #close = (): void => {
    this.#over = true;
    heart.delete(this);
    if (!this.#response.writableFinished && this.#end === 'completed') {
      this.#end = 'clientLeft';
      this.#call?.cancel();
    }
    this.#onEnd(this, this.#record());
  };

  /** Whether this is an answer of a model in the caller's own format, which can be read. */
  #isPassedOn(status: number, headers: OutgoingHttpHeaders): boolean {
    const { endpoint, format } = this.#facts;
    const { format: spoken = format.name, hasOwnForm = false } = this.#routing ?? {};
    const isOwnFormat = spoken === format.name && !hasOwnForm;
    return status < 400 && endpoint === format.path && isOwnFormat && isPlain(encodingOf(headers));
  }

  /** What is known of it so far. */
  summary(durationMs = performance.now() - this.#startedAt): ExchangeSummary {
    return {
      id: this.id,
      at: this.#at,
      localKeyId: this.#localKeyId,
      userAgent: this.#userAgent,
      endpoint: this.#facts.endpoint,
      format: this.format.name,
      model: this.#model,
      routing: this.#routing,
      upstreamFormat: this.#routing?.format ?? (this.#meter && this.format.name),
      status: this.#response.headersSent ? this.#response.statusCode : undefined,
      queueMs: this.#askedAt && this.#askedAt - this.#startedAt,
      firstByteMs: this.#firstByteAt && this.#firstByteAt - this.#startedAt,
      durationMs,
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
      count: this.#count,
      end: this.#end,
    };
  }

  #record(): ExchangeRecord {
    const durationMs = performance.now() - this.#startedAt;
    const usage = this.#meter?.end();
    const counted = usage === undefined ? this.#count : { usage, isEstimated: false };
    const count = this.#planned ? this.#planned.count({ end: this.#end, durationMs, counted }) : counted;
    return exchangeRecord({ ...this.summary(durationMs), count });
  }
}

/** Whether an event can be added to what was sent: not to a compressed stream, nor to one of announced length. */
function isPlainEventStream(headers: OutgoingHttpHeaders): boolean {
  return (
    String(headers['content-type'] ?? '').startsWith('text/event-stream') &&
    isPlain(encodingOf(headers)) &&
    headers['content-length'] === undefined
  );
}
