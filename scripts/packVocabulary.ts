/**
 * Compresses the o200k vocabulary of the package gpt-tokenizer for `src/gateway/counting/vocabulary.ts`. Needed once. The
 * package is not shipped: it would take 2.4 MB and 88 MB of memory, and its merging is quadratic in the length of a piece.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import tokens from 'gpt-tokenizer/bpeRanks/o200k_base';
import { ROOT } from './lib/paths.ts';

const all = tokens.map((token) => Buffer.from(token as string));
const unpacked = Buffer.concat([Buffer.from(`${all.length}\n`), Buffer.from(all.map(({ length }) => length)), ...all]);
const packed = brotliCompressSync(unpacked, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
});
await writeFile(join(ROOT, 'src/gateway/counting/o200k.br'), packed);
console.log(`Packed ${all.length} tokens into ${packed.length} bytes.`);
