import type { OutgoingHttpHeaders } from 'node:http';
import { type ApiError, malformed } from '../../formats/apiError.ts';
import { parseJson } from '../../formats/json.ts';
import { readRetryAfterInBody } from '../../service/retryAfter.ts';
import type { KeyMask } from '../core/keyMask.ts';
import { ByteList } from '../http/byteList.ts';
import { decompress } from '../http/contentEncoding.ts';
import { exhaustedFor } from '../http/headers.ts';

const MAX_BYTES = 1024 * 1024;

export interface ErrorResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Buffers an upstream's error response until it is complete, because some services quote the key that they refuse. If
 * it contains the key, it is passed on with the key masked, otherwise unchanged.
 */
export class BufferedError {
  readonly #status: number;
  readonly #headers: OutgoingHttpHeaders;
  readonly #chunks = new ByteList();

  constructor(status: number, headers: OutgoingHttpHeaders) {
    this.#status = status;
    this.#headers = headers;
  }

  /** @returns false if the response is too long. The rest must not be read, because it may never end. */
  add(chunk: Buffer): boolean {
    this.#chunks.add(chunk);
    return this.#chunks.length <= MAX_BYTES;
  }

  /** Returns the response with the keys masked. If its body cannot be searched, its status and headers are kept. */
  finish(masks: readonly KeyMask[]): ErrorResponse {
    const status = this.#status;
    const body = this.#chunks.concat();
    const isLong = body.length > MAX_BYTES;
    const decompressed = isLong
      ? undefined
      : decompress(body, String(this.#headers['content-encoding'] ?? ''), MAX_BYTES);
    // Some servers name a compression that they have not applied.
    const read = decompressed ?? (isLong || parseJson(body.toString()) === undefined ? undefined : body);
    const written = read === undefined ? this.#headers : withWait(status, this.#headers, read);
    const headers = masks.reduce((clean, mask) => mask.headers(clean), written);
    const masked = read && masks.reduce((clean, mask) => mask.error(clean), read);
    if (masked !== undefined && masked === decompressed) return { status, headers, body };
    const { 'content-encoding': _, 'content-length': __, ...plain } = headers;
    if (masked !== undefined) return { status, headers: plain, body: masked };
    return { status, headers: { ...plain, 'content-type': 'application/json' }, body: unreadable(status) };
  }
}

/** Statuses of services that ask for a pause. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429, 503, 529]);

const RATE_LIMITED = 429;

/** Adds the delay before a retry that some services name only in the body, or as the time when their limits reset. */
function withWait(status: number, headers: OutgoingHttpHeaders, body: Buffer): OutgoingHttpHeaders {
  const isNamed = headers['retry-after'] !== undefined || headers['retry-after-ms'] !== undefined;
  const isLimited = !isNamed && status === RATE_LIMITED;
  const waitMs =
    (isNamed || !BUSY.has(status) ? undefined : readRetryAfterInBody(body.toString())) ??
    (isLimited ? exhaustedFor(headers, Date.now()) : undefined);
  return waitMs === undefined ? headers : { ...headers, 'retry-after': String(Math.ceil(waitMs / 1000)) };
}

/** The body of an error in the form of messages, which the other formats read, too. */
function unreadable(status: number): Buffer {
  const message = `The service answered with an unreadable error (${status}).`;
  return Buffer.from(JSON.stringify({ type: 'error', error: { type: 'api_error', message } }));
}

/**
 * Services that are still processing send an interim response every few seconds, each of which restarts the timeout.
 */
export const MAX_INTERIM = 200;

export const TOO_MANY_INTERIM = malformed(`The service sent more than ${MAX_INTERIM} interim responses and no answer.`);

export function unknownEncodingError(encoding: string): ApiError {
  return malformed(
    `The answer has the content encoding ${encoding.slice(0, 40)}, which the gateway cannot read and did not ask for.`,
  );
}

export function redirectError(origin: string, status: number, location: string | undefined): ApiError {
  const target = location === undefined ? null : URL.parse(location, origin);
  const leadsTo = target === null ? '' : ` to ${target.origin}`;
  return {
    kind: 'network',
    status: 502,
    message: `The service at ${origin} redirects (${status})${leadsTo}. The gateway does not send the key to another address. Set the base address to the address of the service.`,
  };
}
