import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import { WebSocket } from 'ws';

export interface SocketHandshake {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly timeoutMs: number;
}

/** The server does not open a WebSocket at this address. */
export class NoSocket extends Error {
  override readonly name = 'NoSocket';
}

const NO_ADDRESS = null;
/** The same as for a whole answer. */
const MAX_BYTES = 64 * 1024 * 1024;
const OPTIONS = {
  allowSynchronousEvents: true,
  autoPong: true,
  closeTimeout: 5_000,
  maxBufferedChunks: 256 * 1024,
  maxFragments: 16 * 1024,
  maxPayload: MAX_BYTES,
  skipUTF8Validation: false,
};

/**
 * The library's socket on a connection that is already open. Only its server side has that, and undici's connections
 * have the proxies and certificates of the settings.
 */
class OpenedSocket extends WebSocket {
  declare readonly _isServer: boolean;
  declare readonly setSocket: (socket: Duplex, head: Buffer, options: object) => void;

  static over(connection: Duplex): WebSocket {
    const socket = new OpenedSocket(NO_ADDRESS as never, undefined, OPTIONS);
    Object.assign(socket, { _isServer: false });
    socket.setSocket(connection, Buffer.alloc(0), OPTIONS);
    // Between two requests, an error concerns nobody. The connection is closed after it.
    socket.on('error', () => undefined);
    return socket;
  }
}

/** @throws {NoSocket} or the error of the network. */
export function openSocket({ dispatcher, origin, path, headers, timeoutMs }: SocketHandshake): Promise<WebSocket> {
  const key = randomBytes(16).toString('base64');
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  const handshake = { 'sec-websocket-version': '13', 'sec-websocket-key': key };
  dispatcher.dispatch(
    {
      origin,
      path,
      method: 'GET',
      headers: { ...headers, ...handshake },
      upgrade: 'websocket',
      headersTimeout: timeoutMs,
    },
    {
      onRequestStart: ignore,
      onResponseData: ignore,
      onResponseEnd: ignore,
      onRequestUpgrade(_controller, _status, answered, connection) {
        if (answered['sec-websocket-accept'] === acceptOf(key)) resolve(OpenedSocket.over(connection));
        else {
          connection.destroy();
          reject(new NoSocket('The server did not accept the WebSocket.'));
        }
      },
      onResponseStart(controller, status) {
        if (status < 200) return;
        const refused = new NoSocket(`The server refused a WebSocket with status ${status}.`);
        reject(refused);
        controller.abort(refused);
      },
      onResponseError(_controller, error) {
        reject(error);
      },
    },
  );
  return promise;
}

/** A refusal is known from its status. */
function ignore(): void {
  return;
}

function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}
