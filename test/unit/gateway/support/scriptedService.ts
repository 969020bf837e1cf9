import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request as the hosted service received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Alternating names and values, as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export type Script = (response: ServerResponse, request: ReceivedRequest) => unknown;

export interface ScriptedService {
  readonly baseAddress: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** Can be replaced to change the next answers. */
  script: Script;
  /** Resolves when the other side closes the connection of an unanswered or unfinished request. */
  readonly clientLeft: Promise<void>;
  openConnections(): Promise<number>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** Serves HTTPS with this key and certificate, in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

const answerEmpty: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
};

const EMPTY_ANSWER = { choices: [{ message: {}, finish_reason: 'stop' }], content: [], output: [] };

/** An answer that is valid in every format, for gateways that retry if there is none. */
export const answerAnyFormat: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(EMPTY_ANSWER));
};

/** Starts the hosted service on a real socket. */
export async function startService(
  script: Script = answerEmpty,
  options: ServiceOptions = {},
): Promise<ScriptedService> {
  const requests: ReceivedRequest[] = [];
  const left = Promise.withResolvers<void>();
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    response.on('close', () => {
      if (!response.writableFinished) left.resolve();
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers, rawHeaders } = request;
    const received = { method, path: url, headers, rawHeaders, body: Buffer.concat(chunks) };
    requests.push(received);
    await service.script(response, received);
  };
  const maxHeaderSize = 128 * 1024;
  const server =
    options.tls === undefined
      ? createServer({ maxHeaderSize }, receive)
      : createSecureServer({ ...options.tls, maxHeaderSize }, receive);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const service: ScriptedService = {
    baseAddress: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/api/v1`,
    port,
    requests,
    script,
    clientLeft: left.promise,
    openConnections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}
