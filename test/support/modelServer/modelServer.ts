/** An upstream on a real socket that supports all three formats, splits its streams anywhere, and fails on request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { FormatName } from '../../../src/formats/conversation.ts';
import { type RecordedRequest, ScriptedService } from '../scriptedService.ts';
import { chatCompletionEvents, wholeChatCompletion } from './chatCompletions.ts';
import { messageEvents, wholeMessage } from './messages.ts';
import { responseEvents, wholeResponse } from './responses.ts';
import type { Said } from './script.ts';

export interface AskedRequest {
  readonly format: FormatName | undefined;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at members of all kinds
  readonly body: any;
  /** Resolves with `left` if the other side disconnected before the end of the answer. */
  readonly ended: Promise<'finished' | 'left'>;
}

export interface Manners {
  /** The model in the answer, if the service chose another one than requested. */
  readonly answersAs?: string;
  /** Bytes in each write; all at once if undefined. */
  readonly pieceBytes?: number;
  /** The number of events after which `ending` applies. */
  readonly afterEvents?: number;
  /**
   * `end` closes the stream properly, `cut` breaks the connection, `stall` sends nothing more. If undefined, the stream
   * is complete.
   */
  readonly ending?: 'end' | 'cut' | 'stall';
  readonly gzip?: boolean;
  /** Uses CRLF as line ends, and no space after the colon. */
  readonly odd?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Refusal {
  readonly status: number;
  /** A string is sent unchanged. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An event stream as sent, whatever was requested. */
export interface RawStream {
  readonly stream: string;
  readonly gzip?: boolean;
  readonly ending?: Manners['ending'];
  readonly headers?: Readonly<Record<string, string>>;
}

export type Answer =
  | (Said & Manners)
  | Refusal
  | RawStream
  /** Closes the connection before any header. */
  | 'hang up'
  | 'stay silent';
/** Answers a request; undefined results in 404. */
export type Script = (request: AskedRequest) => Answer | undefined;

const FORMAT_OF_PATH: Readonly<Record<string, FormatName>> = {
  '/api/v1/chat/completions': 'chat-completions',
  '/api/v1/messages': 'messages',
  '/api/v1/responses': 'responses',
};
const EVENTS = { 'chat-completions': chatCompletionEvents, messages: messageEvents, responses: responseEvents };
const WHOLE = { 'chat-completions': wholeChatCompletion, messages: wholeMessage, responses: wholeResponse };

/** Reads requests by format. Everything else is done by a {@link ScriptedService} with one answer. */
export class ModelServer {
  readonly requests: AskedRequest[] = [];
  script: Script;
  readonly #service: ScriptedService;

  static async start(script: Script): Promise<ModelServer> {
    const service = await ScriptedService.start((response, request) => server.#answer(response, request));
    const server = new ModelServer(script, service);
    return server;
  }

  private constructor(script: Script, service: ScriptedService) {
    this.script = script;
    this.#service = service;
  }

  get port(): number {
    return this.#service.port;
  }

  get baseUrl(): string {
    return this.#service.baseAddress;
  }

  /** Waits for the request with this index, counted from 0. */
  async request(index = 0): Promise<AskedRequest> {
    const { path } = await this.#service.request(index);
    const request = this.requests[index];
    if (request === undefined) throw new Error(`The request to ${path} could not be read.`);
    return request;
  }

  /**
   * Waits for the request for an answer with this index, counted from 0. Requests for the list of models, which a
   * router sends, do not count.
   */
  async question(index = 0): Promise<AskedRequest> {
    for (let all = 0; ; all += 1) {
      await this.request(all);
      const question = this.requests.filter(({ format }) => format !== undefined)[index];
      if (question !== undefined) return question;
    }
  }

  close(): Promise<void> {
    return this.#service.close();
  }

  async #answer(response: ServerResponse, { path, headers, body: text, ended }: RecordedRequest): Promise<void> {
    const format = FORMAT_OF_PATH[path.replace(/\?.*/, '')];
    const body = text === '' ? undefined : JSON.parse(text);
    const request = { format, path, headers, text, body, ended };
    this.requests.push(request);
    await answer(response, request, this.script(request) ?? { status: 404, body: { error: { message: 'Not here.' } } });
  }
}

async function answer(response: ServerResponse, request: AskedRequest, given: Answer): Promise<void> {
  if (given === 'hang up') response.socket?.destroy();
  else if (given === 'stay silent') return;
  else if ('status' in given) {
    const { status, body, headers } = given;
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  } else if ('stream' in given) {
    const packed = given.gzip === true ? { 'content-encoding': 'gzip' } : {};
    response.writeHead(200, { 'content-type': 'text/event-stream', ...packed, ...given.headers });
    await write(response, given.gzip === true ? gzipSync(given.stream) : Buffer.from(given.stream));
    finish(response, given.ending);
  } else if (request.format === undefined) response.writeHead(404).end();
  else if (request.body.stream === true) await stream(response, request, request.format, given);
  else sendWhole(response, JSON.stringify(WHOLE[request.format](given, given.answersAs ?? request.body.model)), given);
}

function sendWhole(response: ServerResponse, json: string, { gzip = false, headers }: Manners): void {
  const packed = gzip ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(200, { 'content-type': 'application/json', ...packed, ...headers });
  response.end(gzip ? gzipSync(json) : json);
}

async function stream(
  response: ServerResponse,
  { body }: AskedRequest,
  format: FormatName,
  said: Said & Manners,
): Promise<void> {
  const { pieceBytes, afterEvents, ending, gzip = false, odd = false, headers } = said;
  const packed = gzip ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(200, { 'content-type': 'text/event-stream', ...packed, ...headers });
  const text = EVENTS[format](said, said.answersAs ?? body.model)
    .slice(0, afterEvents)
    .join('');
  const spelt = odd ? `: hello\n\n${text}`.replaceAll('data: ', 'data:').replaceAll('\n', '\r\n') : text;
  const bytes = gzip ? gzipSync(spelt) : Buffer.from(spelt);
  const size = pieceBytes ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length; at += size) {
    await write(response, bytes.subarray(at, at + size));
  }
  finish(response, ending);
}

function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(bytes, () => setImmediate(resolve)));
}

function finish(response: ServerResponse, ending: Manners['ending'] = 'end'): void {
  if (ending === 'end') response.end();
  if (ending === 'cut') response.socket?.destroy();
}
