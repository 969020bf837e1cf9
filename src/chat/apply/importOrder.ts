import { isBlank } from '../review/lines.ts';
import type { MergedItem } from './assembly.ts';

/** Fewer imports are in alphabetical order by chance. */
const MIN_SORTED = 3;

/**
 * Returns where a new import belongs among those of a file if these are in alphabetical order: in the block of the imports
 * that begin most like it.
 * @returns undefined if they are in no order.
 */
export function placeInOrder(pieces: readonly MergedItem[], added: MergedItem): number | undefined {
  const key = keyOf(added);
  const likeness = (index: number) => commonLength(keyOf(pieces[index]), key);
  const [best] = blocksOf(pieces)
    .map((block) => ({ block, alike: Math.max(...block.map(likeness)) }))
    .toSorted((one, other) => other.alike - one.alike);
  if (best === undefined || !isSorted(best.block.map((index) => keyOf(pieces[index])))) return undefined;
  const before = best.block.findLast((index) => keyOf(pieces[index]) < key);
  return before === undefined ? best.block[0] : before + 1;
}

/** Runs of imports without a blank line between them, as places in the pieces. */
function blocksOf(pieces: readonly MergedItem[]): readonly (readonly number[])[] {
  const blocks: number[][] = [];
  let isOpen = false;
  for (const [index, piece] of pieces.entries()) {
    const isImport = (piece.inFile ?? piece.inAnswer)?.identity.startsWith('import ') === true;
    const begins = !isOpen || followsBlank(pieces[index - 1], piece);
    if (isImport && begins) blocks.push([index]);
    else if (isImport) blocks.at(-1)?.push(index);
    isOpen = isImport;
  }
  return blocks;
}

function followsBlank(previous: MergedItem | undefined, { inFile }: MergedItem): boolean {
  return previous?.inFile !== undefined && inFile !== undefined && previous.inFile.end < inFile.start;
}

function keyOf(piece: MergedItem | undefined): string {
  const line = piece?.lines.find((one) => !isBlank(one)) ?? '';
  return line.trim().toLowerCase();
}

function isSorted(keys: readonly string[]): boolean {
  return keys.length >= MIN_SORTED && keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key);
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
