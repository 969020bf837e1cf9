/**
 * Finds the places of the lines that an answer shows around its marks: the line before a mark and the line after it are lines
 * of the file, and what is between such lines replaces what is between them in the file.
 */
import { isBlank } from '../review/lines.ts';
import { UncertainMerge } from './doubts.ts';
import { itemsIn } from './items.ts';
import { type Structure, structureOf } from './structure.ts';
import type { Syntax } from './syntax.ts';

/** More pairs of lines take too long. */
const MAX_PAIRS = 400_000;
/** What a line is worth that has words, and one that may be in many places. */
const TELLING = 1;
const PLAIN = 0.1;
/** What it costs to remove a line that has words. The place is certain if another cost leads to the same. */
const COSTS = [0.3, 0.01];

interface Line {
  readonly text: string;
  readonly index: number;
  readonly worth: number;
  readonly isMark: boolean;
}

/** A line of the code that is one of the text: the indexes of both. */
type Pair = readonly [shown: number, old: number];

/**
 * Returns the text with the lines that the code shows.
 * @param shown The lines of the code, with the indentation of the text.
 * @param isMark Whether a line of the code stands for others.
 * @param isItem Whether both are the same item, so that the first line is a version of the first one.
 * @returns undefined if a new line is beside a mark, or if the lines are in several places nearly equally well.
 */
export function aligned(
  text: readonly string[],
  shown: readonly string[],
  isMark: (line: number) => boolean,
  isItem: boolean,
): readonly string[] | undefined {
  const [old, code] = [writtenLines(text, () => false), writtenLines(shown, isMark)];
  if (old.length * code.length > MAX_PAIRS) return undefined;
  const [merged, ...others] = COSTS.flatMap((cost) => {
    const alignment = new Alignment(old, code, isItem, cost);
    return [true, false].map((isLate) => {
      const pairs = alignment.pairs(isLate);
      return pairs && mergedBy(pairs, text, shown, isMark);
    });
  });
  return others.every((other) => other?.join('\n') === merged?.join('\n')) ? merged : undefined;
}

function writtenLines(lines: readonly string[], isMark: (line: number) => boolean): readonly Line[] {
  return lines.flatMap((line, index) => {
    if (isBlank(line)) return [];
    // A comma at the end may be missing.
    const text = line.trim().replace(/,$/, '');
    return [{ text, index, worth: /\w\W+\w|\w{3}/.test(text) ? TELLING : PLAIN, isMark: isMark(index) }];
  });
}

class Alignment {
  readonly #old: readonly Line[];
  readonly #code: readonly Line[];
  readonly #isItem: boolean;
  readonly #cost: number;
  readonly #width: number;
  /** What the best pairs of so many first lines are worth: of the code by rows, and of the text by columns. */
  readonly #sums: Float64Array;

  constructor(old: readonly Line[], code: readonly Line[], isItem: boolean, cost: number) {
    this.#old = old;
    this.#code = code;
    this.#isItem = isItem;
    this.#cost = cost;
    this.#width = old.length + 1;
    this.#sums = new Float64Array(this.#width * (code.length + 1));
    for (let row = 0; row <= code.length; row += 1) {
      for (let column = row === 0 ? 1 : 0; column < this.#width; column += 1) {
        this.#sums[row * this.#width + column] = Math.max(
          this.#pair(row, column),
          this.#add(row, column),
          this.#skip(row, column),
        );
      }
    }
  }

  /** @param isLate Whether of several equally good places the last ones are taken. */
  pairs(isLate: boolean): readonly Pair[] | undefined {
    let [row, column] = [this.#code.length, this.#old.length];
    if (this.#sum(row, column) === Number.NEGATIVE_INFINITY) return undefined;
    const pairs: Pair[] = [];
    while (row + column > 0) {
      const best = this.#sum(row, column);
      const [isSkip, isAdd] = [this.#skip(row, column) === best, this.#add(row, column) === best];
      const isPair = this.#pair(row, column) === best && (isLate || !(isSkip || isAdd));
      const isNew = !isPair && isAdd && (isLate || !isSkip);
      if (isPair || isNew) row -= 1;
      if (!isNew) column -= 1;
      if (isPair) pairs.unshift([this.#code[row]?.index ?? 0, this.#old[column]?.index ?? 0]);
    }
    return pairs;
  }

  #sum(row: number, column: number): number {
    return this.#sums[row * this.#width + column] ?? Number.NEGATIVE_INFINITY;
  }

  /** A line of the code that is a line of the text. */
  #pair(row: number, column: number): number {
    const [shown, line] = [this.#code[row - 1], this.#old[column - 1]];
    if (shown === undefined || line === undefined || shown.isMark) return Number.NEGATIVE_INFINITY;
    const isHead = this.#isItem && row === 1 && column === 1;
    return isHead || shown.text === line.text ? this.#sum(row - 1, column - 1) + shown.worth : Number.NEGATIVE_INFINITY;
  }

  /** A mark, or a line of the code that is new, which is beside no mark. */
  #add(row: number, column: number): number {
    const shown = this.#code[row - 1];
    const isBesideMark = this.#code[row - 2]?.isMark === true || this.#code[row]?.isMark === true;
    const isPossible = shown !== undefined && (shown.isMark || !isBesideMark);
    return isPossible ? this.#sum(row - 1, column) : Number.NEGATIVE_INFINITY;
  }

  /** A line of the text that a mark stands for, or that is removed. */
  #skip(row: number, column: number): number {
    const line = this.#old[column - 1];
    if (line === undefined) return Number.NEGATIVE_INFINITY;
    const cost = this.#code[row - 1]?.isMark === true ? 0 : line.worth * this.#cost;
    return this.#sum(row, column - 1) - cost;
  }
}

/**
 * What is between two pairs comes from the code, unless a mark stands for it, or both are blank.
 * @returns undefined if a mark stands for nothing although other lines vanish.
 */
function mergedBy(
  pairs: readonly Pair[],
  text: readonly string[],
  shown: readonly string[],
  isMark: (line: number) => boolean,
): readonly string[] | undefined {
  const result: string[] = [];
  let [from, at] = [0, 0];
  let [isIdle, vanishes] = [false, false];
  for (const [next, place] of [...pairs, [shown.length, text.length] as const]) {
    const [own, code] = [text.slice(at, place), shown.slice(from, next)];
    const isMarked = code.some((_, index) => isMark(from + index));
    const [isEmpty, isBare] = [own.every(isBlank), code.every(isBlank)];
    isIdle ||= isMarked && isEmpty;
    vanishes ||= !isMarked && !isEmpty && isBare;
    result.push(...(isMarked || (isEmpty && isBare) ? own : code));
    const [line, other] = [text[place], shown[next]];
    // What follows the last line in the file decides whether it has a comma.
    const isOwn = line?.trim() === other?.trim() || (next === shown.length - 1 && place === text.length - 1);
    if (line !== undefined && other !== undefined) result.push(isOwn ? line : other);
    [from, at] = [next + 1, place + 1];
  }
  return isIdle && vanishes ? undefined : result;
}

/**
 * Whether the new lines have fewer functions, types, or sections of a name than the old ones, or brackets that belong to none.
 * Comments and ends of blocks may be alike, so that lines alone do not tell a new one from another version of an old one.
 */
export function lacksItems(
  old: readonly string[],
  merged: readonly string[],
  syntax: Syntax,
  isCertain: (identity: string) => boolean = () => true,
): boolean {
  const [before, after] = [old, merged].map((lines) => structureOf(lines.join('\n'), syntax)) as [Structure, Structure];
  if (before.isBalanced && !after.isBalanced) return true;
  const left = namesIn(after);
  for (const name of namesIn(before).filter(isCertain)) {
    const at = left.indexOf(name);
    if (at === -1) return true;
    left.splice(at, 1);
  }
  return false;
}

function namesIn({ root }: Structure): string[] {
  const items = [...itemsIn(root)];
  return items.filter(({ identity, bodies }) => identity !== '' && bodies.length > 0).map(({ identity }) => identity);
}

/**
 * Returns what another way finds if the first one is not certain.
 * @throws {UncertainMerge} if the other one finds nothing.
 */
export function certainOr<Found>(find: () => Found, findOtherwise: () => Found | undefined): Found {
  try {
    return find();
  } catch (error) {
    const found = error instanceof UncertainMerge ? findOtherwise() : undefined;
    if (found === undefined) throw error;
    return found;
  }
}
