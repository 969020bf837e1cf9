/** Decompresses answers of upstreams. */
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

interface Options {
  readonly maxOutputLength: number;
  /** Set to accept data that was cut off, of which what can be decompressed is returned. */
  readonly finishFlush?: number | undefined;
}

interface Encoding {
  readonly decompress: (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;
  readonly decompressLater: (bytes: Buffer, options: Options) => Promise<Buffer>;
  /** The value of `finishFlush` for a part of a body. */
  readonly flush: number;
  readonly createDecompressor: () => Transform;
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants;

const GZIP: Encoding = {
  decompress: zlib.gunzipSync,
  decompressLater: promisify<Buffer, Options, Buffer>(zlib.gunzip),
  flush: Z_SYNC_FLUSH,
  createDecompressor: zlib.createGunzip,
};

const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  [
    'deflate',
    {
      decompress: zlib.inflateSync,
      decompressLater: promisify<Buffer, Options, Buffer>(zlib.inflate),
      flush: Z_SYNC_FLUSH,
      createDecompressor: zlib.createInflate,
    },
  ],
  [
    'br',
    {
      decompress: zlib.brotliDecompressSync,
      decompressLater: promisify<Buffer, Options, Buffer>(zlib.brotliDecompress),
      flush: BROTLI_OPERATION_FLUSH,
      createDecompressor: zlib.createBrotliDecompress,
    },
  ],
  [
    'zstd',
    {
      decompress: zlib.zstdDecompressSync,
      decompressLater: promisify<Buffer, Options, Buffer>(zlib.zstdDecompress),
      flush: ZSTD_e_flush,
      createDecompressor: zlib.createZstdDecompress,
    },
  ],
]);

/** What some servers write there for an answer that is not compressed: nothing in particular, or a character set. */
const NO_COMPRESSION =
  /^(?:|identity|none|null|plain|binary|[78]bit|aws-chunked|(?:charset=)?(?:us-ascii|ascii|latin-?1|utf-?\d+|iso-8859-\d+|windows-\d+|gbk|gb2312|gb18030|big5))$/;

/** Returns the compressions that a header names, without what compresses nothing. Empty for a plain answer. */
export function compressionsIn(header: string): string {
  const names = header.split(/[,;]/).map((name) => name.trim());
  return names.filter((name) => !NO_COMPRESSION.test(name.toLowerCase())).join(', ');
}

export function isPlain(encoding: string): boolean {
  return encoding === '' || encoding === 'identity';
}

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

const GZIP_BEGINNING = Buffer.from([0x1f, 0x8b]);

/** Decompresses a body that is compressed without naming it. Any other is returned as it is. */
export function withoutUnnamed(body: Buffer, maxBytes: number): Buffer {
  if (body[0] !== GZIP_BEGINNING[0] || body[1] !== GZIP_BEGINNING[1]) return body;
  return decompress(body, 'gzip', maxBytes) ?? body;
}

/** Does the same in another thread. */
export function decompressLater(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer | undefined> {
  return decompressed(body, encoding, { maxOutputLength: maxBytes });
}

/** Does the same with the received part of a body, which may end at any byte. */
export function decompressPart(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer | undefined> {
  return decompressed(body, encoding, { maxOutputLength: maxBytes, finishFlush: encodingNamed(encoding)?.flush });
}

async function decompressed(body: Buffer, encoding: string, options: Options): Promise<Buffer | undefined> {
  if (isPlain(encoding) || body.length === 0) return body;
  return await encodingNamed(encoding)
    ?.decompressLater(body, options)
    .catch(() => undefined);
}

/** Returns a stream that decompresses, or `undefined` for an unknown encoding. */
export function createDecompressor(encoding: string): Transform | undefined {
  return encodingNamed(encoding)?.createDecompressor();
}

/** Names of encodings are case-insensitive. */
function encodingNamed(name: string): Encoding | undefined {
  return ENCODINGS.get(name.trim().toLowerCase());
}

/** Every stream may decompress to this many bytes. */
const FREE_BYTES = 16 * 1024 * 1024;
/** Maximum ratio beyond that. Texts of models compress to a tenth, and streams of small events to a fiftieth. */
const MAX_RATIO = 200;
const MAX_BYTES = 1024 * 1024 * 1024;

/** Detects decompression bombs: streams that were compressed to fill the memory of the recipient. */
export class DecompressionMeter {
  #in = 0;
  #out = 0;

  add(compressed: Uint8Array): void {
    this.#in += compressed.length;
  }

  /** @returns whether this much output is allowed for the input so far. */
  allows(decompressed: Uint8Array): boolean {
    this.#out += decompressed.length;
    return this.#out <= Math.max(FREE_BYTES, Math.min(MAX_BYTES, this.#in * MAX_RATIO));
  }
}
