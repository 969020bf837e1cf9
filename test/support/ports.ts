import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Server as PlainServer } from 'node:net';

/** Listens on a port of this machine; 0 selects any free port. */
export async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export function portOf(server: PlainServer): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');
  return address.port;
}

/** Returns a port on which nothing listens: one that was free a moment ago. */
export async function closedPort(): Promise<number> {
  const server = await listenOn(0);
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}
