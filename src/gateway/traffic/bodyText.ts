import type { Transform } from 'node:stream';
import { createDecompressor, isPlain } from '../http/contentEncoding.ts';
import type { BodyPart, CapturedBody } from './protocol.ts';
import type { Piece, RecordedBody } from './recordedBody.ts';
import type { SecretMask } from './secretMask.ts';

/** A small body can become very large when it is decompressed. */
const MAX_BYTES = 4 * 1024 * 1024;

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
async function decompressed(pieces: readonly Piece[], encoding: string): Promise<Piece[] | undefined> {
  const decompressor = createDecompressor(encoding);
  if (decompressor === undefined) return undefined;
  const output: Piece[] = [];
  let atMs = 0;
  let size = 0;
  decompressor.on('data', (bytes: Buffer) => {
    size += bytes.length;
    if (size <= MAX_BYTES) output.push({ atMs, bytes });
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
