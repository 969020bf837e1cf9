/** Requests that ask to continue in another protocol. */
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { matchRoute } from '../core/route.ts';

/** Whether the request opens a WebSocket for responses. */
export function opensResponses({ method, url = '', headers }: IncomingMessage): boolean {
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
  const route = matchRoute(url);
  return route.kind === 'endpoint' && route.endpoint === '/responses';
}

/**
 * Whether an earlier request on the connection is still being answered. HTTP does not allow a client to change the
 * protocol then, and its answers would be mixed.
 */
export function isAnswering(socket: Duplex & { readonly _httpMessage?: object | null }): boolean {
  return Boolean(socket._httpMessage);
}

/** Returns the response to a request that is not granted what it asks for. The connection is closed after it. */
export function lastResponse(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.on('finish', () => socket.end());
  return response;
}

/**
 * Serves a request as if it did not ask for another protocol, as RFC 9110 allows. Some clients ask for HTTP/2 with every
 * request. The server has stopped reading the connection as HTTP, so it gets the connection again, with the request
 * without that wish.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method = '', url = '', httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.toLowerCase() === 'upgrade') continue;
    const value = rawHeaders[at + 1] ?? '';
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function withoutUpgrade(options: string): string {
  const others = options.split(',').filter((option) => option.trim().toLowerCase() !== 'upgrade');
  return others.length === 0 ? 'keep-alive' : others.join(',');
}
