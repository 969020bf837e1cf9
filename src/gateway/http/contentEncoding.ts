/** Unpacking of answers that an upstream sent compressed. */
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

interface Encoding {
  readonly unpack: (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;
  readonly createUnpacker: () => Transform;
}

const GZIP: Encoding = { unpack: zlib.gunzipSync, createUnpacker: zlib.createGunzip };

const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', { unpack: zlib.inflateSync, createUnpacker: zlib.createInflate }],
  ['br', { unpack: zlib.brotliDecompressSync, createUnpacker: zlib.createBrotliDecompress }],
  ['zstd', { unpack: zlib.zstdDecompressSync, createUnpacker: zlib.createZstdDecompress }],
]);

export function isPlain(encoding: string): boolean {
  return encoding === '' || encoding === 'identity';
}

/** Whether bodies that are compressed in this way can be unpacked. */
export function readsEncoding(encoding: string): boolean {
  return isPlain(encoding) || encodingNamed(encoding) !== undefined;
}

/** The body unpacked; `undefined` when it cannot be, or would be longer than `maxBytes`. */
export function unpack(body: Buffer, encoding: string, maxBytes: number): Buffer | undefined {
  if (isPlain(encoding) || body.length === 0) return body;
  try {
    return encodingNamed(encoding)?.unpack(body, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

/** Unpacks a stream as it comes; `undefined` for an encoding that is not known. */
export function createUnpacker(encoding: string): Transform | undefined {
  return encodingNamed(encoding)?.createUnpacker();
}

/** Names are written in either case. */
function encodingNamed(name: string): Encoding | undefined {
  return ENCODINGS.get(name.trim().toLowerCase());
}
