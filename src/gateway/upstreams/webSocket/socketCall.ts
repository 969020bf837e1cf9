import type { WebSocket } from 'ws';
import { isRecord, parseJson } from '../../../formats/json.ts';
import type { KeyMask } from '../../core/keyMask.ts';
import type { AnswerSink, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
import { STREAM_HEADERS } from '../../http/headers.ts';
import { joinItems, memberOf } from '../../http/itemList.ts';
import { networkError } from '../networkError.ts';
import type { IdleSocket, SocketPool } from './socketPool.ts';
import { continuingEvent, createEvent, newItems, type WrittenTurn } from './turnBody.ts';

export interface SocketCallOptions {
  readonly request: UpstreamRequest;
  readonly body: WrittenTurn;
  readonly sink: AnswerSink;
  readonly pool: SocketPool;
  readonly origin: string;
  readonly masks: readonly KeyMask[];
  /** How long to wait for the first event, and between two events, in milliseconds. 0 means no limit. */
  readonly firstMs: number;
  readonly idleMs: number;
  readonly open: () => Promise<WebSocket>;
  /** Asks over HTTP instead, because no connection can be opened, or it was closed before its first event. */
  readonly fallBack: (reason: 'unopened' | 'closed') => UpstreamCall;
  /** Called when the connection has answered with an event. */
  readonly onAnswered: () => void;
}

const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed']);
const LOST_CONVERSATION: ReadonlySet<unknown> = new Set([
  'previous_response_not_found',
  'websocket_connection_limit_reached',
]);

/** One request on a connection to the upstream, whose events become a stream as over HTTP. */
export class SocketCall implements UpstreamCall {
  readonly #options: SocketCallOptions;
  #socket: WebSocket | undefined;
  #openedAt = 0;
  #overHttp: UpstreamCall | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #items: Buffer[] = [];
  #isPaused = false;
  #hasStarted = false;
  #isSent = false;
  /** Whether the connection was used before, so that the upstream may have closed it meanwhile. */
  #isReused = false;
  #isOver = false;

  constructor(options: SocketCallOptions) {
    this.#options = options;
    const idle = options.pool.take(options.body);
    if (idle === undefined) void this.#open();
    else this.#reuse(idle);
  }

  pause(): void {
    this.#isPaused = true;
    this.#overHttp?.pause();
    this.#socket?.pause();
    clearTimeout(this.#timer);
  }

  resume(): void {
    this.#isPaused = false;
    this.#overHttp?.resume();
    this.#socket?.resume();
    if (this.#socket !== undefined) this.#wait(this.#options.idleMs);
  }

  /** Only the end of the connection stops the upstream. */
  cancel(): void {
    this.#overHttp?.cancel();
    this.#leave()?.terminate();
  }

  async #open(): Promise<void> {
    const { open } = this.#options;
    this.#isReused = false;
    const socket = await open().catch(() => undefined);
    if (this.#isOver) socket?.terminate();
    else if (socket === undefined) this.#fallBack('unopened');
    else {
      this.#openedAt = performance.now();
      this.#ask(socket, createEvent(this.#options.body));
    }
  }

  #fallBack(reason: 'unopened' | 'closed'): void {
    this.#leave()?.terminate();
    this.#overHttp = this.#options.fallBack(reason);
    if (this.#isPaused) this.#overHttp.pause();
  }

  #reuse({ socket, openedAt, kept }: IdleSocket): void {
    const { body } = this.#options;
    this.#openedAt = openedAt;
    this.#isReused = true;
    const items = newItems(body, kept);
    this.#ask(socket, items === undefined ? createEvent(body) : continuingEvent(body, items, kept.id));
  }

  #ask(socket: WebSocket, event: string): void {
    const { request, firstMs } = this.#options;
    this.#socket = socket;
    socket.on('message', this.#receive).on('close', this.#closed).on('error', this.#closed);
    if (this.#isPaused) socket.pause();
    if (!this.#isSent) request.onSending?.();
    this.#isSent = true;
    socket.send(event);
    this.#wait(firstMs);
  }

  /** Stops listening, and returns the connection. */
  #leave(): WebSocket | undefined {
    const socket = this.#socket;
    this.#isOver = true;
    this.#release();
    return socket;
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#socket?.off('message', this.#receive).off('close', this.#closed).off('error', this.#closed);
    this.#socket = undefined;
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (ms > 0) this.#timer = setTimeout(() => this.#fail('UND_ERR_BODY_TIMEOUT'), ms);
  }

  readonly #closed = (): void => {
    if (this.#hasStarted) this.#fail('UND_ERR_SOCKET');
    else if (this.#isReused) this.#again();
    else this.#fallBack('closed');
  };

  /** Asks on a new connection, with the whole conversation. */
  #again(): void {
    this.#socket?.terminate();
    this.#release();
    void this.#open();
  }

  #fail(code: string): void {
    this.#leave()?.terminate();
    this.#options.sink.fail(networkError(Object.assign(new Error(code), { code }), this.#options.origin));
  }

  readonly #receive = (data: unknown): void => {
    if (!this.#hasStarted) this.#options.onAnswered();
    const text = this.#options.masks.reduce((masked, mask) => mask.answerText(masked), String(data));
    const type = parseJson(memberOf(text, 'type').toString());
    if (type === 'error') this.#refused(text);
    else this.#pass(String(type), text);
  };

  #pass(type: string, text: string): void {
    this.#wait(this.#options.idleMs);
    if (type === 'response.output_item.done') this.#items.push(memberOf(text, 'item'));
    const kept =
      type === 'response.completed' || type === 'response.incomplete' ? memberOf(text, 'response') : undefined;
    this.#write(type, text);
    if (!ENDS.has(type)) return;
    const id = kept && parseJson(memberOf(kept.toString(), 'id').toString());
    this.#end(typeof id === 'string' ? id : undefined);
  }

  #write(type: string, text: string): void {
    const { sink } = this.#options;
    if (!this.#hasStarted) sink.start(200, STREAM_HEADERS);
    this.#hasStarted = true;
    sink.data(Buffer.from(`event: ${type}\ndata: ${text}\n\n`));
  }

  #end(id: string | undefined): void {
    // The client may have disconnected at the last event.
    if (this.#isOver) return;
    const { body, pool, sink } = this.#options;
    const openedAt = this.#openedAt;
    const input = joinItems(body.input, ...this.#items);
    const socket = this.#leave();
    if (id === undefined) socket?.close();
    else if (socket !== undefined) pool.put({ socket, openedAt, kept: { ...body, input, id } });
    sink.end();
  }

  /** An error before the stream is an answer with its status, as over HTTP. */
  #refused(text: string): void {
    const event = parseJson(text);
    const { error, status, headers } = isRecord(event) ? event : {};
    const inner = isRecord(error) ? error : event;
    if (this.#isReused && !this.#hasStarted && LOST_CONVERSATION.has(isRecord(inner) ? inner.code : undefined)) {
      this.#again();
      return;
    }
    const { sink } = this.#options;
    if (this.#hasStarted) this.#write('error', isRecord(error) ? JSON.stringify({ ...error, type: 'error' }) : text);
    else {
      const retryAfter = isRecord(headers) ? headers['retry-after'] : undefined;
      const code = typeof status === 'number' && status >= 400 && status < 600 ? status : 500;
      const later = typeof retryAfter === 'string' && { 'retry-after': retryAfter };
      sink.start(code, { 'content-type': 'application/json', ...later });
      sink.data(Buffer.from(JSON.stringify({ error: inner })));
    }
    this.#end(undefined);
  }
}
