/** Places the imports of an answer that a file lacks, and finds those that they replace. */
import { isBlank } from '../review/lines.ts';
import type { MergedItem } from './assembly.ts';
import { UncertainMerge } from './doubts.ts';
import { importedNames } from './importNames.ts';
import { isImport } from './items.ts';
import type { Item, Level, Structure } from './structure.ts';

/** Fewer imports are in alphabetical order by chance. */
const MIN_SORTED = 3;

/** An import of the answer that is placed on its own, with those of the file whose names it makes known as well. */
export interface NewImport {
  readonly inAnswer: Item;
  readonly replaced: readonly Item[];
}

/**
 * Finds the imports that the file lacks.
 * @throws {UncertainMerge} if one of them makes a name known that another one of the file has together with others.
 */
export function newImports(file: Structure, answer: Structure, { items }: Level, shown: readonly Item[]): NewImport[] {
  const imports = items.filter(isImport);
  if (imports.length === 0) return [];
  const textOf = ({ lines }: Structure, { head, end }: Item) => lines.slice(head, end).join('\n').trim();
  const shownTexts = new Set(shown.map((item) => textOf(answer, item)));
  const known = imports.map((item) => ({ item, names: importedNames(file.lines.slice(item.head, item.end)) }));
  return shown.filter(isImport).flatMap((inAnswer): NewImport[] => {
    if (imports.some((item) => textOf(file, item) === textOf(answer, inAnswer))) return [];
    const names = new Set(importedNames(answer.lines.slice(inAnswer.head, inAnswer.end)));
    const group = new Set(pathsInGroup(textOf(answer, inAnswer)));
    const same = known.filter(
      (one) =>
        (one.names.some((name) => names.has(name)) || isInGroup(textOf(file, one.item), group)) &&
        !shownTexts.has(textOf(file, one.item)),
    );
    const isKnown = imports.some(({ identity }) => identity === inAnswer.identity);
    const [only] = same;
    if (only === undefined || (same.length === 1 && only.item.identity === inAnswer.identity)) {
      return isKnown ? [] : [{ inAnswer, replaced: [] }];
    }
    if (same.length > 1 && same.some((one) => !one.names.every((name) => names.has(name)))) throw new UncertainMerge();
    return [{ inAnswer, replaced: same.map(({ item }) => item) }];
  });
}

/** The packages that an import of Go has between parentheses, with their quotes. */
function pathsInGroup(text: string): readonly string[] {
  return /^import\s*\(/.test(text) ? (text.match(/"[^"\n]+"/g) ?? []) : [];
}

function isInGroup(text: string, group: ReadonlySet<string>): boolean {
  const path = /^import\s+(?:[\w.]+\s+)?("[^"\n]+")$/.exec(text)?.[1];
  return path !== undefined && group.has(path);
}

/**
 * Puts a new import where the one is that it replaces, beside the one that the answer shows beside it, where it belongs in
 * alphabetical order, or after the others.
 */
export function withImport(
  pieces: readonly MergedItem[],
  shown: readonly Item[],
  { replaced }: NewImport,
  added: MergedItem & { readonly inAnswer: Item },
): readonly MergedItem[] {
  const [first] = replaced;
  if (first !== undefined) {
    // One import of the file may be replaced by several.
    const isOther = ({ inFile, inAnswer }: MergedItem) =>
      inFile === undefined || inAnswer !== undefined || !replaced.includes(inFile);
    const beside = neighborPlace(pieces.filter(isOther), shown, added.inAnswer);
    if (beside !== undefined) return pieces.filter(isOther).toSpliced(beside, 0, { ...added, isAttached: true });
    if (!pieces.some(({ inFile }) => inFile === first)) return afterPrevious(pieces, shown, added);
    return pieces
      .filter((piece) => piece.inFile === first || isOther(piece))
      .map((piece) => (piece.inFile === first ? { ...piece, ...added, inFile: first } : piece));
  }
  const after = neighborPlace(pieces, shown, added.inAnswer) ?? placeInOrder(pieces, added, isImport);
  const at = after ?? pieces.findLastIndex(({ inFile }) => isImport(inFile)) + 1;
  const [previous, next] = [pieces[at - 1]?.inFile, pieces[at]];
  // The first import of a file keeps its distance from what is before it.
  const isFirst = at > 0 && (!isImport(previous) || isPrelude(previous));
  if (!isFirst) return pieces.toSpliced(at, 0, { ...added, isAttached: true });
  const isApart = isPrelude(previous) ? { ...added, lines: ['', ...added.lines], isAttached: true } : added;
  const { inFile } = next ?? {};
  const isBesideNext = inFile !== undefined && isImport(inFile) && inFile.head === inFile.start;
  if (!isBesideNext || next === undefined) return pieces.toSpliced(at, 0, isApart);
  return pieces.toSpliced(at, 1, isApart, { ...next, isAttached: true });
}

/** Whether an item names the package that the file belongs to, which is read like an import. */
export function isPackage(item: Item | undefined): boolean {
  return item?.identity.startsWith('import package ') === true;
}

/** What every other import follows: the package of the file, or what the language of the file depends on. */
function isPrelude(item: Item | undefined): boolean {
  return isPackage(item) || item?.identity.startsWith('import __future__') === true;
}

/** What the import replaces is gone, because the answer shows its neighbors without it. */
function afterPrevious(
  pieces: readonly MergedItem[],
  shown: readonly Item[],
  added: MergedItem & { readonly inAnswer: Item },
): readonly MergedItem[] {
  const before = new Set<Item | undefined>(shown.slice(0, shown.indexOf(added.inAnswer)));
  return pieces.toSpliced(
    pieces.findLastIndex(({ inAnswer }) => before.has(inAnswer) && inAnswer !== undefined) + 1,
    0,
    added,
  );
}

/** The place that the answer shows: beside another import, or at the beginning. */
function neighborPlace(pieces: readonly MergedItem[], shown: readonly Item[], item: Item): number | undefined {
  const index = shown.indexOf(item);
  const placeOf = (other: Item | undefined) =>
    isImport(other) ? pieces.findIndex((piece) => piece.inAnswer === other) : -1;
  const [before, after] = [placeOf(shown[index - 1]), placeOf(shown[index + 1])];
  if (before !== -1) return before + 1;
  if (after !== -1) return after;
  const mark = shown.findIndex(({ isMark }) => isMark);
  const isAtBeginning = index < mark && shown.slice(index, mark).every(isImport);
  const first = pieces.findIndex((piece) => isImport(piece.inFile) && !isPrelude(piece.inFile));
  return isAtBeginning && first !== -1 ? first : undefined;
}

/**
 * Returns where an item belongs among others that are in alphabetical order: in the block of those that begin most like it.
 * @returns undefined if they are in no order.
 */
function placeInOrder(
  pieces: readonly MergedItem[],
  added: MergedItem,
  isAlike: (item: Item | undefined) => boolean,
): number | undefined {
  const key = keyOf(added);
  const likeness = (index: number) => commonLength(keyOf(pieces[index]), key);
  const [best] = blocksOf(pieces, isAlike)
    .map((block) => ({ block, alike: Math.max(...block.map(likeness)) }))
    .toSorted((one, other) => other.alike - one.alike);
  if (best === undefined) return undefined;
  if (!isSorted(best.block.map((index) => keyOf(pieces[index]))))
    return isImport(added.inAnswer) ? inPackage(pieces, best.block, key) : undefined;
  const before = best.block.findLast((index) => keyOf(pieces[index]) < key);
  return before === undefined ? best.block[0] : before + 1;
}

/** Imports in no order are often beside others of their package. Returns undefined if there are none, or only such. */
function inPackage(pieces: readonly MergedItem[], block: readonly number[], key: string): number | undefined {
  const shared = (index: number) => key.slice(0, commonLength(keyOf(pieces[index]), key)).search(/[./:\\][^./:\\]*$/);
  const most = Math.max(...block.map(shared));
  const own = block.filter((index) => shared(index) === most);
  if (most === -1 || own.length === block.length) return undefined;
  const before = own.findLast((index) => keyOf(pieces[index]) < key);
  return before === undefined ? own[0] : before + 1;
}

/** Puts members where they belong among others without blank lines between them, if these are in alphabetical order. */
export function inOrder(
  pieces: readonly MergedItem[],
  added: readonly MergedItem[],
): readonly MergedItem[] | undefined {
  let placed = pieces;
  for (const one of added) {
    const isBlock = (item: Item | undefined) => item !== undefined && item.bodies.length > 0;
    const isAlike = (item: Item | undefined) => item?.isComment === false && isBlock(item) === isBlock(one.inAnswer);
    const at = placeInOrder(placed, one, isAlike);
    if (at === undefined) return undefined;
    placed = [...placed.slice(0, at), { ...one, isAttached: true }, ...placed.slice(at)];
  }
  return placed;
}

/** Runs of such items without a blank line between them, as places in the pieces. */
function blocksOf(pieces: readonly MergedItem[], isAlike: (item: Item | undefined) => boolean) {
  const blocks: number[][] = [];
  let isOpen = false;
  for (const [index, piece] of pieces.entries()) {
    const isOne = isAlike(piece.inFile ?? piece.inAnswer);
    const begins = !isOpen || followsBlank(pieces[index - 1], piece);
    if (isOne && begins) blocks.push([index]);
    else if (isOne) blocks.at(-1)?.push(index);
    isOpen = isOne;
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
