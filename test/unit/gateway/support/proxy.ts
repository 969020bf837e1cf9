import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ForwardProxy {
  readonly address: string;
  /** `CONNECT host:port` or `GET http://...`, one for each request, with its credentials. */
  readonly requests: readonly { readonly target: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/**
 * Starts a forward proxy that resolves every name to this machine. With credentials, it rejects requests without them.
 * @param interim a response that it sends before it says that a tunnel is open.
 */
export async function startProxy(credentials?: string, interim = ''): Promise<ForwardProxy> {
  const requests: { target: string; authorization: string | undefined }[] = [];
  const admits = (request: IncomingMessage) => {
    const authorization = request.headers['proxy-authorization'];
    requests.push({ target: `${request.method} ${request.url}`, authorization });
    return credentials === undefined || authorization === credentials;
  };
  const server = createServer((request, response) => {
    if (!admits(request)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
      return;
    }
    const { port, pathname } = new URL(request.url ?? '');
    const { method = '', headers } = request;
    const forwarded = httpRequest({ host: '127.0.0.1', port, path: pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!admits(request)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const tunnel = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write(`${interim}HTTP/1.1 200 Connection Established\r\n\r\n`);
      tunnel.write(head);
      tunnel.pipe(socket).pipe(tunnel);
    });
    tunnel.on('error', () => socket.destroy());
    socket.on('error', () => tunnel.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
