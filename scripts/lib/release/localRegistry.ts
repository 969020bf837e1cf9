import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request with which a client has uploaded something. */
export interface Upload {
  readonly path: string;
  readonly body: Buffer;
}

/** The parts of the Marketplace API that `vsce publish` calls, with the IDs that its client uses. */
const MARKETPLACE_ROUTES = [
  {
    id: 'e11ea35a-16fe-4b80-ab11-c4cab88a0966',
    routeTemplate: '_apis/gallery/publishers/{publisherName}/extensions/{extensionName}',
  },
  { id: 'a41192c8-9525-4b58-bc86-179fa549d80d', routeTemplate: '_apis/gallery/extensions' },
].map((route) => ({
  ...route,
  area: 'gallery',
  resourceName: 'extensions',
  resourceVersion: 2,
  minVersion: '1.0',
  maxVersion: '7.2',
  releasedVersion: '7.2',
}));

/**
 * Replaces the Marketplace, Open VSX, and npm, so that their clients can publish without an account. It has no packages
 * and accepts any.
 */
export class LocalRegistry {
  readonly uploads: Upload[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const { method, url: path = '' } = request;
    response.setHeader('content-type', 'application/json');
    if (method === 'OPTIONS') {
      response.end(JSON.stringify({ count: MARKETPLACE_ROUTES.length, value: MARKETPLACE_ROUTES }));
    } else if (method === 'POST' || method === 'PUT') {
      this.uploads.push({ path, body });
      response.writeHead(201).end('{}');
    } else {
      response.writeHead(404).end('{"error":"Not found"}');
    }
  }
}
