import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { sendError } from '../core/sendError.ts';
import { encodingOf } from '../http/answerHeaders.ts';
import { isPlain } from '../http/contentEncoding.ts';
import { brokenStreamEvent } from './brokenStream.ts';
import { endsAtEvent, type HeartbeatListener, heartbeatOf, heartbeats, tailAfter } from './heartbeat.ts';

/** What the client of one exchange is sent: bytes as they are given, signs of life, and errors in its format. */
export class ClientAnswer implements HeartbeatListener {
  readonly #response: ServerResponse;
  readonly #format: WireFormat;
  #isEventStream = false;
  #isSilent = false;
  #isCongested = false;
  #tail: Uint8Array | string = '';
  #firstByteAt: number | undefined;
  #bytes = 0;

  /** @param format The client's. */
  constructor(response: ServerResponse, format: WireFormat) {
    this.#response = response;
    this.#format = format;
  }

  /** Absent as long as the client has not been told. */
  get status(): number | undefined {
    return this.#response.headersSent ? this.#response.statusCode : undefined;
  }

  /** Whether an event can be added to what was sent. */
  get isEventStream(): boolean {
    return this.#isEventStream;
  }

  /** Whether all was said. */
  get isEnded(): boolean {
    return this.#response.writableEnded;
  }

  /** Whether all that was said has left. */
  get isDelivered(): boolean {
    return this.#response.writableFinished;
  }

  /** Whether the client reads more slowly than it is written to; until {@link drained}. */
  get isCongested(): boolean {
    return this.#isCongested;
  }

  /** On the clock of `performance.now()`. */
  get firstByteAt(): number | undefined {
    return this.#firstByteAt;
  }

  /** Of the body so far. */
  get bytes(): number {
    return this.#bytes;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    this.#firstByteAt = performance.now();
    this.#isEventStream = isPlainEventStream(headers);
    this.#response.writeHead(status, headers);
    if (this.#isEventStream) heartbeats.add(this);
    process.nextTick(this.#flushHeaders);
  }

  /** @returns false when the client reads slowly. */
  write(chunk: Uint8Array | string): boolean {
    this.#isSilent = false;
    if (this.#isEventStream) this.#tail = tailAfter(this.#tail, chunk);
    this.#bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    const goesOn = this.#response.write(chunk);
    if (!goesOn) this.#isCongested = true;
    return goesOn;
  }

  end(): void {
    this.#response.end();
  }

  drained(): void {
    this.#isCongested = false;
  }

  /** Keeps the client waiting where the upstream is silent, but never in the middle of an event. */
  beat(): void {
    const wasSilent = this.#isSilent;
    this.#isSilent = true;
    if (!wasSilent || this.#isCongested || this.isEnded || !endsAtEvent(this.#tail)) return;
    const heartbeat = heartbeatOf(this.#format.name, this.#bytes > 0);
    this.#bytes += heartbeat.length;
    this.#response.write(heartbeat);
  }

  /** Instead of an answer. */
  sendError(error: ApiError, requestId: string, headers?: OutgoingHttpHeaders): void {
    this.#firstByteAt = performance.now();
    this.#bytes = sendError(this.#response, this.#format, error, requestId, headers);
  }

  /**
   * What the client already has stays; it must be able to see that the answer is not whole.
   * @param closingEvent how the stream ends as a failure; the format's bare error event when absent.
   */
  breakOff(error: ApiError, closingEvent: string | undefined): void {
    if (this.#isEventStream) {
      const event = closingEvent ?? brokenStreamEvent(this.#format, error);
      this.#bytes += Buffer.byteLength(event);
      this.#response.end(event);
    } else {
      this.#response.destroy();
    }
  }

  /** The connection is done with it. */
  closed(): void {
    heartbeats.delete(this);
  }

  /** Headers wait for the first data of the same packet, but no longer. */
  readonly #flushHeaders = (): void => {
    if (this.#bytes === 0 && !this.isEnded) this.#response.flushHeaders();
  };
}

/** Not a compressed stream, nor one of announced length. */
function isPlainEventStream(headers: OutgoingHttpHeaders): boolean {
  return (
    String(headers['content-type'] ?? '').startsWith('text/event-stream') &&
    isPlain(encodingOf(headers)) &&
    headers['content-length'] === undefined
  );
}
