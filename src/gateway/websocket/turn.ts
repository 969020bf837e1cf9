import type { OutgoingHttpHeaders } from 'node:http';
import { Writable } from 'node:stream';
import { isRecord, parseJson } from '../../formats/json.ts';
import { eventsIn, type ServerSentEvent, ServerSentEventDecoder } from '../../formats/serverSentEvents.ts';
import type { ClientResponse } from '../core/clientResponse.ts';
import { MAX_WHOLE_BYTES } from '../http/byteList.ts';
import { decompress, isPlain } from '../http/contentEncoding.ts';
import { encodingOf, isEventStream } from '../http/headers.ts';
import { joinItems, memberOf } from '../http/itemList.ts';
import { ObjectScanner } from '../http/objectScanner.ts';
import type { CreateEvent } from './clientEvent.ts';
import type { Continuations } from './continuations.ts';

const ITEM_DONE = 'response.output_item.done';
const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete']);

/**
 * One answer of a connection. Learns from its events what a later request needs to continue it, if neither the gateway
 * nor the upstream stores it.
 */
export class SocketTurn {
  readonly event: CreateEvent;
  /** The items of the whole conversation before the answer, if they are known. */
  readonly input: Buffer;
  readonly #connection: string;
  readonly #continuations: Continuations;
  readonly #items: Buffer[] = [];

  constructor(event: CreateEvent, input: Buffer, connection: string, continuations: Continuations) {
    this.event = event;
    this.input = input;
    this.#connection = connection;
    this.#continuations = continuations;
  }

  passing({ event: name, data }: ServerSentEvent): void {
    if (name === 'response.failed') this.failed();
    if (this.event.isStored || name === undefined) return;
    if (name === ITEM_DONE) this.#items.push(memberOf(data, 'item'));
    else if (ENDS.has(name)) this.#keep(memberOf(data, 'response'));
  }

  /** Like a service, forgets what a failed request has continued, so that its client sends the whole conversation. */
  failed(): void {
    const { previousResponseId } = this.event;
    if (previousResponseId !== undefined) this.#continuations.forget(this.#connection, previousResponseId);
  }

  #keep(response: Buffer): void {
    const { id, output } = this.#read(response);
    if (typeof id !== 'string') return;
    // Some services send the items only at the end.
    const items = this.#items.length > 0 ? this.#items : output;
    this.#continuations.keep(this.#connection, id, joinItems(this.input, ...items));
  }

  #read(response: Buffer): { readonly id: unknown; readonly output: readonly Buffer[] } {
    const scanner = new ObjectScanner(new Set(['id']));
    scanner.push(response);
    const output = this.#items.length > 0 ? undefined : scanner.members.find(({ name }) => name === 'output');
    const parsed = output && parseJson(response.toString('utf8', output.start, output.end));
    const items = Array.isArray(parsed) ? parsed.filter(isRecord) : [];
    return {
      id: parseJson(scanner.values.get('id') ?? ''),
      output: items.map((item) => Buffer.from(JSON.stringify(item))),
    };
  }
}

interface TurnEvents {
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

interface SocketError {
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
