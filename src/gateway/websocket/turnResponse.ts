import type { OutgoingHttpHeaders } from 'node:http';
import { Writable } from 'node:stream';
import { isRecord, parseJson } from '../../formats/json.ts';
import { eventsIn, type ServerSentEvent, ServerSentEventDecoder } from '../../formats/serverSentEvents.ts';
import type { ClientResponse } from '../core/clientResponse.ts';
import { MAX_WHOLE_BYTES } from '../http/byteList.ts';
import { decompress, isPlain } from '../http/contentEncoding.ts';
import { encodingOf, isEventStream } from '../http/headers.ts';

export interface TurnEvents {
  /** @param sent called when the event was handed to the operating system, or the connection was lost. */
  send(data: string, sent: () => void): void;
  /** Called before each event of a stream is sent. */
  passing(event: ServerSentEvent): void;
  /** Called if the turn was refused or has failed before its stream began. */
  refused(status: number): void;
}

/** Headers of an error that tell a client when to try again, and what to name in a report. */
const KEPT_HEADERS = /^(?:retry-after(?:-ms)?|x-request-id|x-ratelimit-.*|x-model-access-.*)$/;

/**
 * The response of one turn. What an exchange writes as a stream of server-sent events is sent as messages of the
 * WebSocket, no faster than the client reads. An answer in one piece becomes an error event, or a stream without deltas.
 */
export class TurnResponse extends Writable implements ClientResponse {
  headersSent = false;
  statusCode = 200;
  readonly #events: TurnEvents;
  #headers: OutgoingHttpHeaders = {};
  #stream: ServerSentEventDecoder | undefined;
  readonly #body: Buffer[] = [];

  constructor(events: TurnEvents) {
    super();
    this.#events = events;
  }

  writeHead(status: number, headers: OutgoingHttpHeaders = {}): void {
    this.headersSent = true;
    this.statusCode = status;
    this.#headers = headers;
    const isStream = status < 400 && isEventStream(headers) && isPlain(encodingOf(headers));
    if (isStream) this.#stream = new ServerSentEventDecoder();
  }

  /** There is nothing to send before the first event. */
  flushHeaders(): void {
    return;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#stream === undefined) {
      this.#body.push(chunk);
      done();
      return;
    }
    this.#sendAll(this.#stream.push(chunk), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#stream === undefined) this.#sendWhole(done);
    else this.#sendAll(this.#stream.end(), done);
  }

  #sendAll(events: readonly ServerSentEvent[], done: () => void): void {
    const hasBroken = events.some(({ event }) => event === 'error');
    // The end of a stream that breaks off completes the event before it, which may be half an event.
    const sent = events.filter(({ data }) => data !== '[DONE]' && !(hasBroken && parseJson(data) === undefined));
    const last = sent.at(-1);
    if (last === undefined) done();
    for (const event of sent) {
      this.#events.passing(event);
      this.#events.send(event.data, event === last ? done : () => undefined);
    }
  }

  /** Sends an answer that is not a stream: an error, or a whole answer of an upstream that does not stream. */
  #sendWhole(done: () => void): void {
    const bytes = decompress(Buffer.concat(this.#body), encodingOf(this.#headers), MAX_WHOLE_BYTES);
    if (this.statusCode < 400 && bytes !== undefined && isEventStream(this.#headers)) {
      // A compressed stream is passed on when it has ended.
      this.#sendAll(eventsIn(bytes), done);
      return;
    }
    const body = bytes === undefined ? undefined : parseJson(bytes.toString());
    if (this.statusCode < 400 && isRecord(body) && body.object === 'response') {
      this.#sendAll(eventsOfWhole(body), done);
      return;
    }
    const status = this.statusCode < 400 ? 502 : this.statusCode;
    this.#events.refused(status);
    const kept = Object.entries(this.#headers).filter(
      ([name, value]) => KEPT_HEADERS.test(name) && value !== undefined,
    );
    this.#events.send(errorEvent(status, errorIn(body), Object.fromEntries(kept)), done);
  }
}

function errorIn(body: unknown): SocketError {
  const error = isRecord(body) ? body.error : undefined;
  if (isRecord(error) && typeof error.message === 'string')
    return { type: 'server_error', ...error, message: error.message };
  return { type: 'server_error', message: 'The upstream answered neither with events nor with a response.' };
}

const LAST_EVENTS: Readonly<Record<string, string>> = { failed: 'response.failed', incomplete: 'response.incomplete' };

function eventsOfWhole(response: Readonly<Record<string, unknown>>): ServerSentEvent[] {
  const last = LAST_EVENTS[String(response.status)] ?? 'response.completed';
  const begun = { ...response, status: 'in_progress', output: [] };
  return [
    {
      event: 'response.created',
      data: JSON.stringify({ type: 'response.created', sequence_number: 0, response: begun }),
    },
    { event: last, data: JSON.stringify({ type: last, sequence_number: 1, response }) },
  ];
}

export interface SocketError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | null;
  readonly param?: string | null;
}

/** Returns the event for an error that is not part of a stream, with the status that it has over HTTP. */
export function errorEvent(status: number, error: SocketError, headers: object = {}): string {
  const { code = null, param = null } = error;
  const isEmpty = Object.keys(headers).length === 0;
  return JSON.stringify({ type: 'error', status, error: { ...error, code, param }, ...(isEmpty ? {} : { headers }) });
}

export function invalidEvent(message: string, code: string, param: string | null = null): string {
  return errorEvent(400, { type: 'invalid_request_error', code, message, param });
}
