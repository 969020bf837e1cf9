import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export const LOCAL_KEY = 'key_local-for-the-tests';

export interface Call {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders | readonly string[];
  readonly body?: string | Uint8Array;
  readonly host?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** False if the connection was lost before the end of the answer. */
  readonly complete: boolean;
}

export const AUTHORIZED = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };

/** Sends a request without reading its answer. */
export function open({ port, path, method = 'POST', headers = AUTHORIZED, host = '127.0.0.1' }: Call): ClientRequest {
  const given = Array.isArray(headers) ? [...headers] : { ...(headers as OutgoingHttpHeaders) };
  return request({ host, port, path, method, headers: given, agent: false });
}

export async function send(call: Call): Promise<Answer> {
  // A rejected client may find the connection closed while it is still sending. It has its answer by then.
  const sent = open(call).on('error', () => undefined);
  sent.end(call.body ?? (call.method === undefined || call.method === 'POST' ? '{}' : undefined));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return read(response);
}

export function get(call: Omit<Call, 'method' | 'body'>): Promise<Answer> {
  return send({ ...call, method: 'GET' });
}

export async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => response.destroy());
  await once(response, 'close').catch(() => undefined);
  const { statusCode = 0, headers, rawHeaders, complete } = response;
  return { status: statusCode, headers, rawHeaders, body: Buffer.concat(chunks), complete };
}

export function json({ body }: Answer): unknown {
  return JSON.parse(body.toString());
}

/** Writes bytes to a socket of its own and reads until the other side closes it. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  // A server that rejects a request may reset the connection. What it sent before is used.
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}
