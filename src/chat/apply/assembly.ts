/** Puts the items of a level together again: the blank lines between them, and the commas after them. */
import { isBlank } from '../review/lines.ts';
import type { Item, Level, Structure } from './structure.ts';

/** The lines of one item of the result, from the file, the answer, or both. */
export interface MergedItem {
  readonly lines: readonly string[];
  readonly inFile?: Item | undefined;
  readonly inAnswer?: Item | undefined;
  /** Whether it follows the item before it without a blank line. */
  readonly isAttached?: boolean;
}

/** Returns the lines of the level with these items instead of its own. */
export function assemble(
  file: Structure,
  answer: Structure,
  level: Level,
  pieces: readonly MergedItem[],
): readonly string[] {
  const [first, last] = [level.items[0], level.items.at(-1)];
  const before = file.lines.slice(level.start, first?.start ?? level.end);
  const added = pieces[0]?.inFile === undefined ? pieces[0]?.inAnswer : undefined;
  // What comes first in the answer keeps its distance from the beginning.
  if (added?.level.items[0] === added && added !== undefined && before.every(isBlank) && level.owner !== undefined) {
    before.splice(0, before.length, ...blanks(added.start - added.level.start));
  }
  const after = last === undefined ? [] : file.lines.slice(last.end, level.end);
  const separates = areSeparated(file, answer, level, pieces);
  const spaced = withCommas(file, level, pieces, separates);
  return [
    ...before,
    ...spaced.flatMap((piece, index) => {
      const previous = spaced[index - 1];
      return [
        ...(previous === undefined ? [] : gapBetween(file, level, previous, piece, separates ? 0 : 1)),
        ...piece.lines,
      ];
    }),
    ...after,
  ];
}

function gapBetween(
  file: Structure,
  level: Level,
  previous: MergedItem,
  piece: MergedItem,
  gapOfBlocks: number,
): readonly string[] {
  if (piece.isAttached === true) return [];
  const { items } = level;
  const inFile = piece.inFile;
  const own = inFile && items[items.indexOf(inFile) - 1];
  if (inFile !== undefined && own !== undefined && own === previous.inFile)
    return file.lines.slice(own.end, inFile.start);
  // What takes the place of the item before keeps its distance.
  const isAlike = inFile !== undefined && own !== undefined && isBlock(previous) === isBlockItem(own);
  if (isAlike) return file.lines.slice(own.end, inFile.start);
  const isLarge = isBlock(previous) && isBlock(piece);
  const usual = usualGap(level, isBlock(previous), isBlock(piece));
  const written = gapInAnswer(previous, piece);
  if (isLarge && usual !== undefined) return blanks(usual);
  if (written !== undefined) return blanks(written);
  if (inFile !== undefined && own !== undefined) return file.lines.slice(own.end, inFile.start);
  const others = isLarge ? undefined : usualGap(level, true, true);
  return blanks(usual ?? (isBlock(previous) || isBlock(piece) ? (others ?? gapOfBlocks) : 0));
}

function isBlock({ inFile, inAnswer }: MergedItem): boolean {
  return isBlockItem(inAnswer ?? inFile);
}

function isBlockItem(item: Item | undefined): boolean {
  return item !== undefined && (item.bodies.length > 0 || item.head > item.start || item.end > item.head + 1);
}

/** The number of blank lines that most pairs of such items have between them. */
function usualGap({ items }: Level, isAfterBlock: boolean, isBeforeBlock: boolean): number | undefined {
  const counts = new Map<number, number>();
  for (const [index, item] of items.entries()) {
    const previous = items[index - 1];
    if (previous === undefined || isBlockItem(previous) !== isAfterBlock || isBlockItem(item) !== isBeforeBlock)
      continue;
    const gap = item.start - previous.end;
    counts.set(gap, (counts.get(gap) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The blank lines between two items that follow each other in the answer, of which a mark can stand for one. */
function gapInAnswer({ inAnswer: previous }: MergedItem, { inAnswer: item }: MergedItem): number | undefined {
  if (previous !== undefined && item === undefined) {
    const next = previous.level.items[previous.level.items.indexOf(previous) + 1];
    return next?.isMark === true ? next.start - previous.end : undefined;
  }
  if (previous === undefined || item === undefined || previous.level !== item.level) return undefined;
  const { items } = item.level;
  return items.indexOf(item) === items.indexOf(previous) + 1 ? item.start - previous.end : undefined;
}

function blanks(count: number): readonly string[] {
  return new Array<string>(count).fill('');
}

/** Whether commas separate the items in the file or in the answer. */
function areSeparated(file: Structure, answer: Structure, level: Level, pieces: readonly MergedItem[]): boolean {
  const inAnswer = pieces.find((piece) => piece.inAnswer !== undefined)?.inAnswer?.level;
  return separatesByCommas(file, level) ?? (inAnswer && separatesByCommas(answer, inAnswer)) ?? false;
}

/** Separates items by commas, and ends the last one as the file does. */
function withCommas(
  file: Structure,
  level: Level,
  pieces: readonly MergedItem[],
  separates: boolean,
): readonly MergedItem[] {
  // A comma that an answer has by mistake is not taken over.
  const hadNone = ({ inFile, inAnswer }: MergedItem) =>
    inFile !== undefined && inAnswer !== undefined && !hasComma(lineOf(file, inFile));
  if (!separates) return pieces.map((piece) => (hadNone(piece) ? withComma(piece, false) : piece));
  const lastInFile = level.items.findLast(({ isComment }) => !isComment);
  const endsWithComma = lastInFile !== undefined && hasComma(lineOf(file, lastInFile));
  const last = pieces.findLastIndex((piece) => !isCommentPiece(piece));
  return pieces.map((piece, index) => {
    if (isCommentPiece(piece)) return piece;
    return withComma(piece, index !== last || endsWithComma);
  });
}

function isCommentPiece({ inFile, inAnswer }: MergedItem): boolean {
  return (inAnswer ?? inFile)?.isComment === true;
}

function lineOf({ lines }: Structure, { end }: Item): string {
  return lines[end - 1] ?? '';
}

/** Undefined if a level has too few items to tell. */
function separatesByCommas(structure: Structure, { items }: Level): boolean | undefined {
  const code = items.filter(({ isComment, isMark }) => !isComment && !isMark);
  if (code.length === 0) return undefined;
  if (code.length === 1) return hasComma(lineOf(structure, code[0] as Item)) || undefined;
  return code.slice(0, -1).every((item) => hasComma(lineOf(structure, item)));
}

const COMMENT_AT_END = /\s*(?:\/\/[^"'`]*|\/\*[^*]*\*\/|#[^"'`]*)$/;

function hasComma(line: string): boolean {
  return line.replace(COMMENT_AT_END, '').trimEnd().endsWith(',');
}

function withComma(piece: MergedItem, wanted: boolean): MergedItem {
  const { lines } = piece;
  const at = lines.findLastIndex((line) => !isBlank(line));
  const line = lines[at];
  if (line === undefined || hasComma(line) === wanted) return piece;
  const comment = COMMENT_AT_END.exec(line)?.[0] ?? '';
  const code = line.slice(0, line.length - comment.length).trimEnd();
  return { ...piece, lines: lines.with(at, wanted ? `${code},${comment}` : code.slice(0, -1) + comment) };
}
