import type { WebSocket } from 'ws';
import { wireFormats } from '../../formats/index.ts';
import type { ServerSentEvent } from '../../formats/serverSentEvents.ts';
import { newId } from '../core/callIds.ts';
import { joinItems, listOf } from '../http/itemList.ts';
import { bodyOf, type CreateEvent, readClientEvent } from './clientEvent.ts';
import type { Continuations } from './continuations.ts';
import { errorEvent, invalidEvent, SocketTurn, TurnResponse } from './turn.ts';

export interface SocketLimits {
  /** How long a connection may exist, as with the services of the format. Its last answer may take longer. */
  readonly ageMs: number;
  /** How long it may wait between two requests. */
  readonly idleMs: number;
  /** How long one message may take to arrive. */
  readonly messageMs: number;
  /** How long it may give no sign of life. */
  readonly silentMs: number;
  /** Interval at which the limits are checked and a sign of life is requested. */
  readonly checkMs: number;
  readonly maxBytes: number;
  readonly maxConnections: number;
  /** How many requests of a connection may wait for the one that is being answered. */
  readonly maxWaiting: number;
}

export const DEFAULT_SOCKET_LIMITS: SocketLimits = {
  ageMs: 60 * 60_000,
  idleMs: 15 * 60_000,
  messageMs: 60_000,
  silentMs: 90_000,
  checkMs: 15_000,
  maxBytes: 32 * 1024 * 1024,
  maxConnections: 256,
  maxWaiting: 16,
};

export type AnswerSocketTurn = (body: Buffer, response: TurnResponse) => void;

/** Codes of RFC 6455 with which the gateway closes a connection. */
const [NORMAL, GOING_AWAY, POLICY] = [1000, 1001, 1008] as const;
const UNAUTHORIZED = 401;

/**
 * A client's connection, with one answer at a time. Further requests wait. An exchange ends when its client has closed
 * the connection.
 */
export class SocketConnection {
  readonly #id = newId();
  readonly #socket: WebSocket;
  readonly #limits: SocketLimits;
  readonly #continuations: Continuations;
  readonly #answer: AnswerSocketTurn;
  readonly #openedAt = performance.now();
  readonly #waiting: CreateEvent[] = [];
  #waitingBytes = 0;
  #response: TurnResponse | undefined;
  #activeAt = performance.now();
  /** When a message began to arrive that is still incomplete. */
  #messageSince: number | undefined;
  #arriving = 0;
  /** How often a sign of life was requested since the last one. Time alone also passes while the machine sleeps. */
  #unanswered = 0;
  #isUnauthorized = false;
  #isClosing = false;

  constructor(socket: WebSocket, limits: SocketLimits, continuations: Continuations, answer: AnswerSocketTurn) {
    this.#socket = socket;
    this.#limits = limits;
    this.#continuations = continuations;
    this.#answer = answer;
    socket
      .on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary))
      .on('pong', (data) => this.#controlled(data))
      .on('ping', (data) => this.#controlled(data))
      // The library closes the connection after it. Nothing else depends on the reason.
      .on('error', () => socket.terminate())
      .on('close', () => this.#closed());
  }

  /** Called with each piece that arrives, before the library reads it. */
  arrived(bytes: number): void {
    this.#arriving += bytes;
    this.#messageSince ??= performance.now();
  }

  /** Ends the connection if it has exceeded a limit, or requests a sign of life. */
  check(now: number): void {
    const { ageMs, checkMs, idleMs, messageMs, silentMs } = this.#limits;
    const isRunning = this.#response !== undefined;
    const isStuck = this.#messageSince !== undefined && now - this.#messageSince > messageMs;
    if (isStuck || this.#unanswered * checkMs > silentMs) this.#socket.terminate();
    else if (!isRunning && now - this.#openedAt > ageMs) this.#endOld();
    else if (!isRunning && now - this.#activeAt > idleMs) this.#close(NORMAL, 'idle');
    else this.#ping();
  }

  /** Ends the connection, now or after its answer, because the gateway stops. */
  goAway(): void {
    this.#isClosing = true;
    if (this.#response === undefined) this.#close(GOING_AWAY, 'the gateway stops');
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #ping(): void {
    this.#unanswered += 1;
    this.#socket.ping();
  }

  #endOld(): void {
    const message = 'This connection has reached its limit of 60 minutes. Open another one and continue there.';
    this.#send(invalidEvent(message, 'websocket_connection_limit_reached'));
    this.#close(NORMAL, 'the limit of 60 minutes');
  }

  #close(code: number, reason: string): void {
    this.#isClosing = true;
    this.#socket.close(code, reason);
  }

  #closed(): void {
    this.#isClosing = true;
    this.#waiting.length = 0;
    this.#continuations.forgetAll(this.#id);
    this.#response?.destroy();
  }

  #controlled({ length }: Buffer): void {
    this.#unanswered = 0;
    // Control frames may be between the parts of a message, and are no progress of it.
    this.#arriving -= length + MASKED_HEAD;
    if (this.#arriving <= 0) this.#arrivedWhole();
  }

  #arrivedWhole(): void {
    this.#arriving = 0;
    this.#messageSince = undefined;
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#arrivedWhole();
    this.#activeAt = performance.now();
    this.#unanswered = 0;
    if (this.#isClosing) return;
    const event = isBinary ? NOT_TEXT : readClientEvent(data);
    if (event.kind === 'invalid') this.#send(invalidEvent(event.message, event.code, event.param));
    else if (event.kind === 'create') this.#enqueue(event, data.length);
  }

  #enqueue(event: CreateEvent, bytes: number): void {
    const { maxWaiting, maxBytes } = this.#limits;
    if (this.#waiting.length >= maxWaiting || this.#waitingBytes + bytes > maxBytes) {
      const message = 'Too many requests wait on this connection. Send the next one after an answer has ended.';
      this.#send(errorEvent(429, { type: 'rate_limit_error', code: 'too_many_waiting', message }), event.streamId);
      return;
    }
    this.#waiting.push(event);
    this.#waitingBytes += bytes;
    if (this.#response === undefined) this.#next();
  }

  #next(): void {
    const event = this.#waiting.shift();
    if (event === undefined) {
      this.#waitingBytes = 0;
      if (this.#isClosing) this.#close(GOING_AWAY, 'the gateway stops');
      return;
    }
    const { previousResponseId } = event;
    const earlier =
      previousResponseId === undefined ? undefined : this.#continuations.find(this.#id, previousResponseId);
    const input = joinItems(earlier ?? NOTHING, event.input);
    if (event.generates) this.#start(event, input, earlier);
    else this.#warmUp(event, input, earlier);
  }

  /** A warm-up continues what the connection knows. Nobody else would know what it prepares. */
  #warmUp(event: CreateEvent, input: Buffer, earlier: Buffer | undefined): void {
    const { model, streamId, previousResponseId } = event;
    if (previousResponseId !== undefined && earlier === undefined) {
      const message = `The answer "${previousResponseId}" is not known on this connection. Send the whole conversation.`;
      this.#send(invalidEvent(message, 'previous_response_not_found', 'previous_response_id'), streamId);
    } else {
      const { id, events } = warmUp(model);
      this.#continuations.keep(this.#id, id, input);
      for (const { data } of events) this.#send(data, streamId);
    }
    this.#next();
  }

  /** @param earlier the conversation that the request continues, unless it is stored elsewhere. */
  #start(event: CreateEvent, input: Buffer, earlier: Buffer | undefined): void {
    const { streamId, previousResponseId, written } = event;
    const body =
      earlier === undefined ? bodyOf(event, written, previousResponseId) : bodyOf(event, listOf(input), undefined);
    if (body.length > this.#limits.maxBytes) {
      const message = 'The conversation is too long. Send a shorter one as input.';
      this.#send(errorEvent(413, { type: 'invalid_request_error', code: 'request_too_large', message }), streamId);
      this.#next();
      return;
    }
    const turn = new SocketTurn(event, input, this.#id, this.#continuations);
    const response = new TurnResponse({
      send: (data, sent) => this.#send(data, streamId, sent),
      passing: (passed: ServerSentEvent) => turn.passing(passed),
      refused: (status) => {
        turn.failed();
        if (status === UNAUTHORIZED) this.#isUnauthorized = true;
      },
    });
    this.#response = response;
    response.on('error', () => this.#socket.terminate());
    response.on('close', () => this.#ended(response));
    this.#answer(body, response);
  }

  #ended(response: TurnResponse): void {
    this.#response = undefined;
    this.#activeAt = performance.now();
    if (this.#isUnauthorized) this.#close(POLICY, 'the key is no longer valid');
    // An answer without an end was cut off, which only the end of the connection can tell.
    else if (!response.writableFinished) this.#socket.terminate();
    else this.#next();
  }

  #send(data: string, streamId?: string, sent: () => void = () => undefined): void {
    const named = streamId === undefined ? data : inLane(data, streamId);
    this.#socket.send(named, () => sent());
  }
}

/** A frame of a client up to its content, if that is shorter than 126 bytes. */
const MASKED_HEAD = 6;
const NOTHING = Buffer.alloc(0);
const NOT_TEXT = {
  kind: 'invalid',
  code: 'invalid_json',
  message: 'Send each event as text.',
  param: undefined,
} as const;

function inLane(data: string, streamId: string): string {
  const end = data.lastIndexOf('}');
  return end === -1 ? data : `${data.slice(0, end)},"stream_id":${JSON.stringify(streamId)}}`;
}

function warmUp(model: string): { readonly id: string; readonly events: readonly ServerSentEvent[] } {
  const id = `resp_${newId()}`;
  const request = { model, system: [], messages: [] };
  const encoder = wireFormats.responses.createStreamEncoder({ request, now: Math.floor(Date.now() / 1000) });
  const events = [
    ...encoder.push({ type: 'start', id, model }),
    ...encoder.push({ type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } }),
    ...encoder.push({ type: 'finish', reason: 'stop' }),
    ...encoder.end(),
  ];
  return { id, events };
}
