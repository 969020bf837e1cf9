/** Stands for all hosts other than this machine: a proxy that rejects everything and records the requested hosts. */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Outside {
  /** Environment variables for the program that is watched. */
  readonly variables: Readonly<Record<string, string>>;
  readonly reached: readonly string[];
  close(): Promise<void>;
}

export async function startOutside(): Promise<Outside> {
  const reached: string[] = [];
  const proxy = createServer(({ url = '' }, response) => {
    reached.push(url);
    response.writeHead(403).end();
  });
  proxy.on('connect', ({ url = '' }, socket: Socket) => {
    reached.push(url);
    // A program may reset the connection when it is rejected.
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const here = '127.0.0.1,localhost';
  return {
    variables: {
      HTTP_PROXY: address,
      HTTPS_PROXY: address,
      ALL_PROXY: address,
      http_proxy: address,
      https_proxy: address,
      all_proxy: address,
      NO_PROXY: here,
      no_proxy: here,
    },
    reached,
    async close() {
      proxy.closeAllConnections();
      await new Promise<void>((resolve) => proxy.close(() => resolve()));
    },
  };
}
