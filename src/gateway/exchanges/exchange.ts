import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { type Refusal, STOPPING } from '../access/refusal.ts';
import { sendError } from '../sendError.ts';
import type { AnswerSink, Endpoint, Routing, Upstream, UpstreamCall, UpstreamRequest } from '../upstreams/upstream.ts';
import { brokenStreamEvent } from './brokenStream.ts';
import { endsAtEvent, heart, heartbeatOf, type Pulse, tailAfter } from './heartbeat.ts';
import type { ExchangeEnd, ExchangeRecord } from './record.ts';

/** What is known when the exchange begins, or learnt before an upstream is asked. */
export interface ExchangeFacts {
  readonly id: string;
  readonly format: WireFormat;
  readonly endpoint?: Endpoint;
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
  #routing: Routing | undefined;
  #call: UpstreamCall | undefined;
  #congested = false;
  #isEventStream = false;
  #isSilent = false;
  #tail: Uint8Array | string = '';
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

  set localKeyId(id: string) {
    this.#localKeyId = id;
  }

  /** The gateway itself answers. */
  refuse({ error, headers }: Refusal): void {
    if (this.#over) return;
    this.#end = 'refused';
    this.#sendError(error, headers);
  }

  /** Asks the upstream, unless the client has gone in the meantime. */
  ask(upstream: Upstream, request: UpstreamRequest, model?: string): void {
    if (this.#over) return;
    this.#routing = { upstream: upstream.id };
    this.#model = model;
    this.#bytesIn = request.body?.length ?? 0;
    this.#call = upstream.send(request, this);
    if (this.#congested) this.#call.pause();
  }

  routed(routing: Routing): void {
    this.#routing = routing;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#over) return;
    this.#firstByteAt = performance.now();
    this.#isEventStream = isPlainEventStream(headers);
    this.#response.writeHead(status, headers);
    if (this.#isEventStream) heart.add(this);
    process.nextTick(this.#flushHeaders);
  }

  data(chunk: Uint8Array | string): boolean {
    if (this.#over) return true;
    this.#isSilent = false;
    if (this.#isEventStream) this.#tail = tailAfter(this.#tail, chunk);
    this.#bytesOut += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    if (this.#response.write(chunk)) return true;
    this.#congested = true;
    this.#call?.pause();
    return false;
  }

  end(): void {
    if (!this.#over) this.#response.end();
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

  /** What the client already has stays; it must be able to see that the answer is not whole. */
  fail(error: ApiError): void {
    if (this.#over || this.#response.writableEnded) return;
    this.#end = 'upstreamFailed';
    if (!this.#response.headersSent) {
      this.#sendError(error);
    } else if (this.#isEventStream) {
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

  #record(): ExchangeRecord {
    const { format, endpoint } = this.#facts;
    return {
      id: this.id,
      at: this.#at,
      ...(this.#localKeyId !== undefined && { localKeyId: this.#localKeyId }),
      ...(this.#userAgent !== undefined && { userAgent: this.#userAgent }),
      ...(endpoint !== undefined && { endpoint }),
      format: format.name,
      ...(this.#model !== undefined && { model: this.#model }),
      ...routingFacts(this.#routing),
      ...(this.#response.headersSent && { status: this.#response.statusCode }),
      ...(this.#firstByteAt !== undefined && { firstByteMs: this.#firstByteAt - this.#startedAt }),
      durationMs: performance.now() - this.#startedAt,
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
      end: this.#end,
    };
  }
}

function routingFacts(routing: Routing | undefined): Partial<ExchangeRecord> {
  if (routing === undefined) return {};
  const { upstream, format, dropped = [] } = routing;
  return {
    upstream,
    ...(format !== undefined && { upstreamFormat: format }),
    ...(dropped.length > 0 && { dropped }),
  };
}

/** Whether an event can be added to what was sent: not to a compressed stream, nor to one of announced length. */
function isPlainEventStream(headers: OutgoingHttpHeaders): boolean {
  const encoding = headers['content-encoding'];
  return (
    String(headers['content-type'] ?? '').startsWith('text/event-stream') &&
    (encoding === undefined || encoding === 'identity') &&
    headers['content-length'] === undefined
  );
}
