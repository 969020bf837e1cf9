import type { Transform } from 'node:stream';
import { createDecompressor, isPlain } from '../http/contentEncoding.ts';
import type { BodyPart, CapturedBody } from './protocol.ts';
import type { SecretMask } from './secretMask.ts';

/** A piece that arrives so soon after a part of an event is kept with it, if the part is short. In milliseconds. */
const SAME_MOMENT_MS = 1;
const SHORT_BYTES = 256;
/** Shorter than any event. */
const TINY_BYTES = 16;
const LF = 0x0a;
/** Maximum size of a recorded body. Further bytes are counted, but not kept. */
const MAX_BYTES = 2 * 1024 * 1024;
/** A small body can become very large when it is decompressed. */
const MAX_SHOWN_BYTES = 4 * 1024 * 1024;

interface RecordedPiece {
  readonly atMs: number;
  readonly bytes: Buffer;
}

/** Records the beginning of a body while it passes. Keeps nothing after a gap. */
export class RecordedBody {
  readonly #pieces: RecordedPiece[] = [];
  readonly #mayKeep: (bytes: number) => boolean;
  #bytes = 0;
  #keptBytes = 0;
  /** Value of the header `content-encoding`. */
  encoding = '';

  /** @param mayKeep called before a piece is kept in memory. */
  constructor(mayKeep: (bytes: number) => boolean) {
    this.#mayKeep = mayKeep;
  }

  get pieces(): readonly RecordedPiece[] {
    return this.#pieces;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get keptBytes(): number {
    return this.#keptBytes;
  }

  add(chunk: Buffer, atMs: number): void {
    // Copies the bytes, because a chunk can be a view of a larger buffer, which would stay in memory as well.
    const bytes = Buffer.from(chunk.subarray(0, MAX_BYTES));
    const isGapless = this.#keptBytes === this.#bytes;
    this.#bytes += chunk.length;
    const kept = bytes.subarray(0, MAX_BYTES - this.#keptBytes);
    if (!isGapless || kept.length === 0 || !this.#mayKeep(kept.length)) return;
    this.#keptBytes += kept.length;
    const last = this.#pieces.at(-1);
    if (last !== undefined && isJoined(last, atMs))
      this.#pieces[this.#pieces.length - 1] = { atMs: last.atMs, bytes: Buffer.concat([last.bytes, kept]) };
    else this.#pieces.push({ atMs, bytes: kept });
  }
}

/** A piece of one byte takes more than a hundred, so a body that arrives byte by byte is not kept byte by byte. */
function isJoined({ bytes, atMs }: RecordedPiece, nowMs: number): boolean {
  const isPart = bytes.length < TINY_BYTES || (bytes.length < SHORT_BYTES && bytes.at(-1) !== LF);
  return isPart && nowMs - atMs < SAME_MOMENT_MS;
}

/** Returns a captured body for display: decompressed, as text, with keys masked. */
export async function bodyText(part: BodyPart, recorded: RecordedBody, mask: SecretMask): Promise<CapturedBody> {
  const { bytes, keptBytes, encoding } = recorded;
  const pieces = isPlain(encoding) ? recorded.pieces : await decompressed(recorded.pieces, encoding);
  const decoder = new TextDecoder();
  const texts = (pieces ?? []).map((piece) => decoder.decode(piece.bytes, { stream: true }));
  const masked = mask.applyToPieces(texts);
  return {
    part,
    bytes,
    keptBytes,
    isReadable: pieces !== undefined,
    pieces: (pieces ?? []).map(({ atMs }, nth) => [atMs, masked[nth] ?? ''] as const).filter(([, text]) => text !== ''),
  };
}

/** Decompresses piece by piece, so that each piece keeps its time. Stops at an error and where the body was cut off. */
async function decompressed(pieces: readonly RecordedPiece[], encoding: string): Promise<RecordedPiece[] | undefined> {
  const decompressor = createDecompressor(encoding);
  if (decompressor === undefined) return undefined;
  const output: RecordedPiece[] = [];
  let atMs = 0;
  let size = 0;
  decompressor.on('data', (bytes: Buffer) => {
    size += bytes.length;
    if (size <= MAX_SHOWN_BYTES) output.push({ atMs, bytes });
  });
  const broken = new Promise<false>((resolve) => decompressor.once('error', () => resolve(false)));
  for (const piece of pieces) {
    atMs = piece.atMs;
    if (!(await Promise.race([written(decompressor, piece.bytes), broken]))) break;
  }
  decompressor.destroy();
  return output.length === 0 && pieces.length > 0 ? undefined : output;
}

/** After the callback of `write`, all output for the chunk has been emitted. */
function written(decompressor: Transform, bytes: Buffer): Promise<true> {
  return new Promise((resolve) => decompressor.write(bytes, () => setImmediate(resolve, true)));
}
