/** A substitute for the hosted service on a real socket: answers by script, and records its requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** Resolves when the connection is done with this request, with `left` if the client disconnected before the end. */
  readonly ended: Promise<'finished' | 'left'>;
}

export type Answer = (response: ServerResponse, request: RecordedRequest) => void | Promise<void>;

export class ScriptedService {
  readonly requests: RecordedRequest[] = [];
  readonly #server: Server;
  readonly #answers: Answer[];
  readonly #waiting: (() => void)[] = [];

  /** Starts a service. Each request gets the next answer; the last one is used for all further requests. */
  static async start(...answers: Answer[]): Promise<ScriptedService> {
    const service = new ScriptedService(answers);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  private constructor(answers: Answer[]) {
    this.#answers = answers;
    this.#server = createServer((request, response) => this.#serve(request, response));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get baseAddress(): string {
    return `${this.origin}/api/v1`;
  }

  /** Waits for the request with this index, counted from 0. */
  async request(index = 0): Promise<RecordedRequest> {
    for (;;) {
      const request = this.requests[index];
      if (request !== undefined) return request;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const ended = new Promise<'finished' | 'left'>((resolve) => {
      response.on('close', () => resolve(response.writableFinished ? 'finished' : 'left'));
    });
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = '', url: path = '', headers, rawHeaders } = incoming;
    const request = { method, path, headers, rawHeaders, body: Buffer.concat(chunks).toString(), ended };
    const answer = this.#answers[Math.min(this.requests.length, this.#answers.length - 1)];
    this.requests.push(request);
    for (const wake of this.#waiting.splice(0)) wake();
    if (answer === undefined) response.writeHead(500).end('No answer is scripted.');
    else await answer(response, request);
  }
}

type Headers = Readonly<Record<string, string | string[]>>;

export function answerJson(body: unknown, status = 200, headers: Headers = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

export function answerText(text: string, status = 200, headers: Headers = { 'content-type': 'text/plain' }): Answer {
  return (response) => {
    response.writeHead(status, headers).end(text);
  };
}

/** Closes the connection before any header. */
export function cutBeforeHeaders(): Answer {
  return (response) => {
    response.socket?.destroy();
  };
}

/** Sends nothing until the client disconnects. */
export function staySilent(): Answer {
  return () => undefined;
}

export interface StreamScript {
  readonly headers?: Headers;
  /** Bytes in each write; all at once if undefined. */
  readonly pieceBytes?: number;
  /** `end` closes the stream properly, `cut` breaks the connection, `stall` leaves it open. */
  readonly ending?: 'end' | 'cut' | 'stall';
}

/** Answers with an event stream; `text` is the stream as sent. */
export function answerStream(text: string, { headers = {}, pieceBytes, ending = 'end' }: StreamScript = {}): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += pieceBytes ?? bytes.length) {
      await write(response, bytes.subarray(at, at + (pieceBytes ?? bytes.length)));
    }
    if (ending === 'end') response.end();
    if (ending === 'cut') response.socket?.destroy();
  };
}

/** Sends each piece in a packet of its own if the operating system allows it, by waiting until it is written. */
function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, () => setImmediate(resolve));
  });
}

/** Formats events as sent, each with its `event:` line if it has a `type`. */
export function eventStreamOf(...events: readonly (object | string)[]): string {
  return events.map((event) => (typeof event === 'string' ? `data: ${event}\n\n` : eventText(event))).join('');
}

function eventText(event: object): string {
  const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}
