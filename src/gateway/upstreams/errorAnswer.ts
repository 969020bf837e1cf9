import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import { unpack } from './contentEncoding.ts';

const MAX_BYTES = 1024 * 1024;

export interface WholeAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/**
 * An upstream's error answer, kept back until it is whole: services are known to quote the key that they refuse.
 * One that quotes it is passed on with the key masked, any other byte for byte.
 */
export class ErrorAnswer {
  readonly #status: number;
  readonly #headers: OutgoingHttpHeaders;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(status: number, headers: OutgoingHttpHeaders) {
    this.#status = status;
    this.#headers = headers;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= MAX_BYTES) this.#chunks.push(chunk);
  }

  /** The answer without `key`, if there is one; an error when the body cannot be searched for it. */
  finish(key: string | undefined): WholeAnswer | ApiError {
    const status = this.#status;
    if (this.#size > MAX_BYTES) return unreadable(status);
    const body = Buffer.concat(this.#chunks);
    if (key === undefined) return { status, headers: this.#headers, body };
    const headers = maskHeaders(this.#headers, key);
    const text = unpack(body, String(headers['content-encoding'] ?? ''), MAX_BYTES);
    if (text === undefined) return unreadable(status);
    if (!text.includes(key)) return { status, headers, body };
    const { 'content-encoding': _, 'content-length': __, ...plain } = headers;
    return { status, headers: plain, body: Buffer.from(text.toString('utf8').replaceAll(key, mask(key))) };
  }
}

function unreadable(status: number): ApiError {
  return { kind: 'malformed', status: 502, message: `The service answered with an unreadable error (${status}).` };
}

function maskHeaders(headers: OutgoingHttpHeaders, key: string): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((item) => item.replaceAll(key, mask(key)))
        : typeof value === 'string'
          ? value.replaceAll(key, mask(key))
          : value,
    ]),
  );
}

/** In ASCII, since it stands in headers too. */
function mask(key: string): string {
  return `key_...${key.slice(-4)}`;
}
