import type { IncomingHttpHeaders } from 'node:http';
import { decompressLater, isPlain, readsEncoding } from '../http/contentEncoding.ts';
import { encodingOf } from '../http/headers.ts';
import type { Refusal } from './refusal.ts';
import type { UpstreamRequest } from './upstream.ts';

export function isCompressed(headers: IncomingHttpHeaders): boolean {
  return !isPlain(encodingOf(headers));
}

export type WholeRequest = UpstreamRequest & { readonly body: Buffer };

/** A small body can become a long one, and many of them at once would fill the memory before they are counted. */
let lastDecompression: Promise<unknown> = Promise.resolve();

/**
 * Returns the request with its body decompressed, or the refusal if that is not possible. Some clients compress their
 * requests, but few services accept that, and the body must be read for a key's terms, for routing, and for
 * translation.
 */
export async function withPlainBody(request: WholeRequest, maxBytes: number): Promise<WholeRequest | Refusal> {
  if (!isCompressed(request.headers)) return request;
  const encoding = encodingOf(request.headers);
  const { 'content-encoding': _, ...headers } = request.headers;
  const { body } = request;
  if (!readsEncoding(encoding)) return unknownEncoding(encoding);
  const decompression = lastDecompression.then(() => decompressLater(body, encoding, maxBytes));
  lastDecompression = decompression;
  const plain = await decompression;
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
