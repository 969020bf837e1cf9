/** Decompresses answers of upstreams. */
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

interface Encoding {
  readonly decompress: (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;
  readonly decompressLater: (bytes: Buffer, limit: Limit) => Promise<Buffer>;
  readonly createDecompressor: () => Transform;
}

interface Limit {
  readonly maxOutputLength: number;
}

/** Accepts data that was cut off and returns what can be decompressed. */
interface Lenient extends Limit {
  readonly finishFlush: number;
}

const gunzip = promisify<Buffer, Lenient, Buffer>(zlib.gunzip);
const inflate = promisify<Buffer, Lenient, Buffer>(zlib.inflate);
const brotli = promisify<Buffer, Lenient, Buffer>(zlib.brotliDecompress);
const zstd = promisify<Buffer, Lenient, Buffer>(zlib.zstdDecompress);

const GZIP: Encoding = {
  decompress: zlib.gunzipSync,
  decompressLater: (bytes, limit) => gunzip(bytes, { ...limit, finishFlush: zlib.constants.Z_SYNC_FLUSH }),
  createDecompressor: zlib.createGunzip,
};

const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  [
    'deflate',
    {
      decompress: zlib.inflateSync,
      decompressLater: (bytes, limit) => inflate(bytes, { ...limit, finishFlush: zlib.constants.Z_SYNC_FLUSH }),
      createDecompressor: zlib.createInflate,
    },
  ],
  [
    'br',
    {
      decompress: zlib.brotliDecompressSync,
      decompressLater: (bytes, limit) =>
        brotli(bytes, { ...limit, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
      createDecompressor: zlib.createBrotliDecompress,
    },
  ],
  [
    'zstd',
    {
      decompress: zlib.zstdDecompressSync,
      decompressLater: (bytes, limit) => zstd(bytes, { ...limit, finishFlush: zlib.constants.ZSTD_e_flush }),
      createDecompressor: zlib.createZstdDecompress,
    },
  ],
]);

export function isPlain(encoding: string): boolean {
  return encoding === '' || encoding === 'identity';
}

/** Whether bodies with this encoding can be decompressed. */
export function readsEncoding(encoding: string): boolean {
  return isPlain(encoding) || encodingNamed(encoding) !== undefined;
}

/** Returns the decompressed body, or `undefined` if it is invalid or would be longer than `maxBytes`. */
export function decompress(body: Buffer, encoding: string, maxBytes: number): Buffer | undefined {
  if (isPlain(encoding) || body.length === 0) return body;
  try {
    return encodingNamed(encoding)?.decompress(body, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

/**
 * Decompresses the received part of a body, which may end at any byte, in another thread. Returns `undefined` if it is
 * invalid or would be longer than `maxBytes`.
 */
export async function decompressLater(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer | undefined> {
  if (isPlain(encoding) || body.length === 0) return body;
  try {
    return await encodingNamed(encoding)?.decompressLater(body, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

/** Returns a stream that decompresses, or `undefined` for an unknown encoding. */
export function createDecompressor(encoding: string): Transform | undefined {
  return encodingNamed(encoding)?.createDecompressor();
}

/** Names of encodings are case-insensitive. */
function encodingNamed(name: string): Encoding | undefined {
  return ENCODINGS.get(name.trim().toLowerCase());
}
