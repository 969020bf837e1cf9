import type { OutgoingHttpHeaders } from 'node:http';

/** What an exchange needs of the response to its client: a response over HTTP, or a turn over a WebSocket. */
export interface ClientResponse {
  readonly headersSent: boolean;
  readonly statusCode: number;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  readonly destroyed: boolean;
  writeHead(status: number, headers?: OutgoingHttpHeaders): unknown;
  /** @returns false if the client reads slowly. */
  write(chunk: Buffer): boolean;
  end(chunk?: Buffer): unknown;
  flushHeaders(): void;
  destroy(error?: Error): unknown;
  on(event: 'close' | 'drain', listener: () => void): unknown;
}
