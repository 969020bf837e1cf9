/** Unpacking of answers that an upstream sent compressed. */
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

const DECODERS: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
};

const STREAM_DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  zstd: () => zlib.createZstdDecompress(),
};

export function isPlain(encoding: string): boolean {
  return encoding === '' || encoding === 'identity';
}

/** The body unpacked; `undefined` when it cannot be, or would be longer than `maxBytes`. */
export function unpack(body: Buffer, encoding: string, maxBytes: number): Buffer | undefined {
  if (isPlain(encoding) || body.length === 0) return body;
  try {
    return DECODERS[encoding]?.(body, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

/** Unpacks a stream as it comes; `undefined` for an encoding that is not known. */
export function createUnpacker(encoding: string): Transform | undefined {
  return STREAM_DECODERS[encoding]?.();
}
