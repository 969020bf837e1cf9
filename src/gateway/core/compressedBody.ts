import type { IncomingHttpHeaders } from 'node:http';
import { decompress, isPlain, readsEncoding } from '../http/contentEncoding.ts';
import type { Refusal } from './refusal.ts';
import type { UpstreamRequest } from './upstream.ts';

/** Whether a request's body is compressed. */
export function isCompressed(headers: IncomingHttpHeaders): boolean {
  return !isPlain(encodingOf(headers));
}

/** A header that comes more than once is a list, which no encoding is called. */
function encodingOf({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): string {
  return String(encoding);
}

type WholeRequest = UpstreamRequest & { readonly body: Uint8Array };

/**
 * The request with its body decompressed, or why it cannot be. Some clients compress what they send; few services take that,
 * and a key's terms, the choice of an upstream and every translation need to read it.
 */
export function withPlainBody(request: WholeRequest, maxBytes: number): WholeRequest | Refusal {
  if (!isCompressed(request.headers)) return request;
  const encoding = encodingOf(request.headers);
  const { 'content-encoding': _, ...headers } = request.headers;
  const { body } = request;
  if (!readsEncoding(encoding)) return unknownEncoding(encoding);
  const plain = decompress(Buffer.from(body.buffer, body.byteOffset, body.length), encoding, maxBytes);
  return plain === undefined ? unreadable(maxBytes) : { ...request, headers, body: plain };
}

function unreadable(maxBytes: number): Refusal {
  const megabytes = Math.floor(maxBytes / 1024 / 1024);
  const message = `The body could not be decompressed, or exceeds ${megabytes} MB when decompressed.`;
  return { error: { kind: 'invalidRequest', status: 400, message } };
}

function unknownEncoding(encoding: string): Refusal {
  const message = `Unsupported content encoding: ${encoding}. Send the body uncompressed, or with gzip, deflate, br, or zstd.`;
  return { error: { kind: 'invalidRequest', status: 415, message } };
}
