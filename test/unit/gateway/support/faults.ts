/** Ways in which a service can fail. Everything that can quote the key does. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Script } from './scriptedService.ts';

/** @param key the key that the service quotes. */
export function faultsQuoting(key: string): Readonly<Record<string, Script>> {
  const error = (type: string) => JSON.stringify({ type: 'error', error: { type, message: `Bad key: ${key}` } });
  const event = `event: error\ndata: ${error('authentication_error')}\n\n`;
  return {
    'quotes the key in an error': (response) => {
      response.writeHead(401, { 'content-type': 'application/json', 'x-echo': key }).end(error('invalid_api_key'));
    },
    'quotes the key in a failure of its own': (response) => {
      response.writeHead(500, { 'content-type': 'application/json', 'x-echo': ['a', key] }).end(error('api_error'));
    },
    'quotes the key in a compressed error': (response) => {
      response.writeHead(500, { 'content-encoding': 'GZIP' }).end(gzipSync(key.repeat(3)));
    },
    'quotes the key in an error of another encoding': (response) => {
      response.writeHead(429, { 'content-encoding': 'br', 'retry-after': '1' }).end(brotliCompressSync(key));
    },
    'quotes the key in an error of an encoding that is none': (response) => {
      response.writeHead(400, { 'content-encoding': 'constructor' }).end(key);
    },
    'quotes the key in an error page': (response) => {
      response.writeHead(403, { 'content-type': 'text/html' }).end(`<p>${key}</p>`);
    },
    'quotes the key in an error without end': (response) => {
      response.writeHead(500).write(key, () => response.socket?.destroy());
    },
    'quotes the key in the headers of an answer': (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-key': `Bearer ${key}` }).end('{}');
    },
    'quotes the key in an answer': (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(error('invalid_api_key'));
    },
    'quotes the key in the first event of a stream': (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event);
    },
    'quotes the key in an event, a piece at a time': async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of Buffer.from(event)) {
        await new Promise((resolve) => response.write(Buffer.of(byte), () => setImmediate(resolve)));
      }
      response.end();
    },
    'quotes the key in an event and breaks off in it': (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event.slice(0, event.indexOf(key) + key.length - 1), () => response.socket?.destroy());
    },
    'redirects to an address with the key': (response) => {
      response.writeHead(302, { location: `https://${key}@elsewhere.example/${key}?key=${key}` }).end();
    },
    'answers with an address instead of a status': (response) => response.socket?.end(`HTTP/1.1 ${key}\r\n\r\n`),
    'breaks off': (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n', () => response.socket?.destroy());
    },
    'does not answer': (response) => response.socket?.destroy(),
    'does not speak HTTP': (response) => response.socket?.end(`${key}\r\n`),
    'speaks HTTP badly': (response) => response.socket?.end(`HTTP/1.1 200 OK\r\nx-key: ${key}\x00\r\n\r\n`),
  };
}
