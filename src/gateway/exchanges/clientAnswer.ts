import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { ClientResponse } from '../core/clientResponse.ts';
import { sendError } from '../core/gatewayAnswer.ts';
import type { ByteSink } from '../http/byteSink.ts';
import { isPlain } from '../http/contentEncoding.ts';
import { LF } from '../http/eventBounds.ts';
import { encodingOf } from '../http/headers.ts';
import type { PassedAnswer } from '../usage/passedAnswer.ts';
import { type HeartbeatListener, heartbeatOf, heartbeats } from './silence.ts';
import { WholeEvents } from './wholeEvents.ts';

/**
 * The answer to the client of one exchange: bytes without changes, of a stream in whole events, heartbeats, and errors in
 * the client's format.
 */
export class ClientAnswer implements ByteSink, HeartbeatListener {
  readonly #response: ClientResponse;
  readonly #format: WireFormat;
  readonly #onCongested: () => void;
  /** Reads each chunk after it was written. */
  reader: PassedAnswer | undefined;
  /** Whether an event can be appended to what was sent. */
  isEventStream = false;
  /** Whether the client reads more slowly than the answer is written. True until {@link drained} is called. */
  isCongested = false;
  /** When the answer began, on the clock of `performance.now()`. */
  firstByteAt: number | undefined;
  /** Number of bytes of the body so far. */
  bytes = 0;
  /** Whether anything of the upstream's answer was sent. */
  #hasBegun = false;
  #isSilent = false;
  /** Created for the first chunk of a stream that does not end with an event. Read only. */
  events: WholeEvents | undefined;

  /**
   * @param format the client's format.
   * @param onCongested called when the client reads more slowly than the answer is written.
   */
  constructor(response: ClientResponse, format: WireFormat, onCongested: () => void) {
    this.#response = response;
    this.#format = format;
    this.#onCongested = onCongested;
  }

  /** Undefined until the answer begins. */
  get status(): number | undefined {
    return this.#response.headersSent ? this.#response.statusCode : undefined;
  }

  get isEnded(): boolean {
    return this.#response.writableEnded;
  }

  /** Whether everything written was handed to the operating system. */
  get isDelivered(): boolean {
    return this.#response.writableFinished;
  }

  /** @param isEventStream whether the headers announce a stream of events. */
  start(status: number, headers: OutgoingHttpHeaders, isEventStream: boolean): void {
    this.firstByteAt = performance.now();
    this.isEventStream = isEventStream && isPlainStream(headers);
    this.#response.writeHead(status, headers);
    if (this.isEventStream) heartbeats.add(this);
    process.nextTick(this.#flushHeaders);
  }

  data(chunk: Buffer): boolean {
    this.#isSilent = false;
    const endsEvent = chunk[chunk.length - 1] === LF && chunk[chunk.length - 2] === LF;
    const isWhole = !this.isEventStream || (endsEvent && this.events?.isEmpty !== false);
    if (!isWhole) this.events ??= new WholeEvents();
    const bytes = isWhole || this.events === undefined ? chunk : this.events.add(chunk);
    if (bytes.length === 0) return !this.isCongested;
    this.bytes += bytes.length;
    this.#hasBegun = true;
    const canContinue = this.#response.write(bytes);
    this.reader?.add(bytes);
    if (canContinue) return true;
    this.isCongested = true;
    this.#onCongested();
    return false;
  }

  /** Sends the last event of a stream that has ended without the blank line after it. */
  endEvents(): void {
    if (this.events !== undefined) this.data(this.events.end());
  }

  end(): void {
    this.#response.end();
  }

  drained(): void {
    this.isCongested = false;
  }

  /** Sends a heartbeat if the upstream is silent, but never in the middle of an event. */
  beat(): void {
    const wasSilent = this.#isSilent;
    this.#isSilent = true;
    if (!wasSilent || this.isCongested || this.isEnded || this.events?.isBetween === false) return;
    const heartbeat = heartbeatOf(this.#format.name, this.#hasBegun);
    this.bytes += heartbeat.length;
    this.#response.write(heartbeat);
  }

  sendError(error: ApiError, requestId: string, headers?: OutgoingHttpHeaders): void {
    this.firstByteAt = performance.now();
    this.bytes = sendError(this.#response, this.#format, error, requestId, headers);
  }

  /**
   * Ends an answer that is incomplete, so that the client can detect it.
   * @param closingEvents end the stream as a failure.
   */
  breakOff(closingEvents: string): void {
    if (this.isEventStream) {
      const event = Buffer.from(closingEvents);
      this.bytes += event.length;
      this.#response.end(event);
    } else {
      this.#response.destroy();
    }
  }

  /** Stops the heartbeats when the connection has finished with the answer. */
  closed(): void {
    if (this.isEventStream) heartbeats.delete(this);
  }

  /** Headers wait for the first data, to share its packet, but only until the next tick. */
  readonly #flushHeaders = (): void => {
    if (this.bytes === 0 && !this.#response.writableEnded) this.#response.flushHeaders();
  };
}

/** Whether an event stream is neither compressed nor of announced length. */
function isPlainStream(headers: OutgoingHttpHeaders): boolean {
  if (headers['content-length'] !== undefined) return false;
  return headers['content-encoding'] === undefined || isPlain(encodingOf(headers));
}
