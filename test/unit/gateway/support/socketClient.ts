import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type ClientOptions, WebSocket } from 'ws';
import { LOCAL_KEY } from './client.ts';

export interface SocketEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error']);

/** A client of the gateway's WebSocket. */
export class SocketClient {
  readonly socket: WebSocket;
  /** All messages so far, as they arrived. */
  readonly messages: string[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  #read = 0;
  readonly #waiting: (() => void)[] = [];

  static async open(port: number, options: ClientOptions = {}, path = '/api/v1/responses'): Promise<SocketClient> {
    const client = new SocketClient(port, options, path);
    await once(client.socket, 'open');
    return client;
  }

  /** Opens a connection that is refused. */
  static async refused(port: number, options: ClientOptions = {}, path = '/api/v1/responses') {
    const { socket } = new SocketClient(port, options, path);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode, body: Buffer.concat(chunks).toString() };
  }

  private constructor(port: number, { headers, ...options }: ClientOptions, path: string) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${LOCAL_KEY}`, ...headers },
      ...options,
    });
    this.socket.on('message', (data) => {
      this.messages.push(String(data));
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
    // A test that expects an error looks at what it closes.
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        resolve({ code, reason: String(reason) });
        for (const wake of this.#waiting.splice(0)) wake();
      });
    });
  }

  create(members: object): void {
    this.socket.send(JSON.stringify({ type: 'response.create', model: 'a', ...members }));
  }

  /** The next event. Rejects if the connection is closed instead. */
  async next(): Promise<SocketEvent> {
    while (this.messages.length <= this.#read) {
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error('The connection was closed.');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return JSON.parse(this.messages[this.#read++] ?? '') as SocketEvent;
  }

  /** The events up to the end of an answer. */
  async turn(): Promise<SocketEvent[]> {
    const events: SocketEvent[] = [];
    while (!ENDS.has(events.at(-1)?.type ?? '')) events.push(await this.next());
    return events;
  }

  async ask(members: object): Promise<SocketEvent[]> {
    this.create(members);
    return this.turn();
  }
}

interface ShownResponse {
  readonly id: string;
  readonly output: readonly unknown[];
}

/** The response in the last event. */
export function responseOf(events: readonly SocketEvent[]): ShownResponse {
  return events.at(-1)?.response as ShownResponse;
}

export function idOf(events: readonly SocketEvent[]): string {
  return responseOf(events).id;
}

export function errorOf(event: SocketEvent | undefined) {
  return event?.error as { readonly code: string; readonly param: string | null; readonly message: string };
}

export function textOf(events: readonly SocketEvent[]): string {
  return events.map((event) => (event.type === 'response.output_text.delta' ? String(event.delta) : '')).join('');
}
