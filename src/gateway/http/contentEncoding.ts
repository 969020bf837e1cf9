/** Decompressing of answers that an upstream sent compressed. */
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

interface Encoding {
  readonly decompress: (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;
  readonly createDecompressor: () => Transform;
}

const GZIP: Encoding = { decompress: zlib.gunzipSync, createDecompressor: zlib.createGunzip };

const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', { decompress: zlib.inflateSync, createDecompressor: zlib.createInflate }],
  ['br', { decompress: zlib.brotliDecompressSync, createDecompressor: zlib.createBrotliDecompress }],
  ['zstd', { decompress: zlib.zstdDecompressSync, createDecompressor: zlib.createZstdDecompress }],
]);

export function isPlain(encoding: string): boolean {
  return encoding === '' || encoding === 'identity';
}

/** Whether bodies that are compressed in this way can be decompressed. */
export function readsEncoding(encoding: string): boolean {
  return isPlain(encoding) || encodingNamed(encoding) !== undefined;
}

/** The body decompressed; `undefined` when it cannot be, or would be longer than `maxBytes`. */
export function decompress(body: Buffer, encoding: string, maxBytes: number): Buffer | undefined {
  if (isPlain(encoding) || body.length === 0) return body;
  try {
    return encodingNamed(encoding)?.decompress(body, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

/** Decompresses a stream as it comes; `undefined` for an encoding that is not known. */
export function createDecompressor(encoding: string): Transform | undefined {
  return encodingNamed(encoding)?.createDecompressor();
}

/** Names are written in either case. */
function encodingNamed(name: string): Encoding | undefined {
  return ENCODINGS.get(name.trim().toLowerCase());
}
