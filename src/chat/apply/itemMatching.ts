/** Finds which items of a file the items of an answer are versions of. */

import { diffArrays } from 'diff';
import { indentOf } from '../review/lines.ts';
import { isNameless, isSimilarName } from './identity.ts';
import { itemsIn } from './items.ts';
import { bodyText, decoratorsOf, depthsOf, plainText } from './itemText.ts';
import { ADJACENT, trace } from './pairTable.ts';
import { type ComparedLine, LineIds, similarity } from './similarity.ts';
import type { Item, Structure } from './structure.ts';

/** A less similar statement is another one. */
const MIN_SIMILARITY = 0.55;

/** A condition that goes on in the next line. */
const WRAPPED_CONDITION = /^\s*(?:\}?\s*else )?(?:if|elif|while|for|with|switch|match)\b.*[^{:\s]\s*$/;
/** With more lines, two blocks that have none in common are different ones. */
const MIN_BLOCK = 4;
/** With more pairs, only equal items and those with the same identity are compared. */
const MAX_COMPARED = 400_000;
/** With more pairs, what is equal in two levels is not compared with the rest. */
const MAX_PAIRS = 10_000;
/** With more differences, two levels have little in common. */
const MAX_EDITS = 500;

/** What pairs are worth. Two similar statements must not outweigh an equal one. */
const EQUAL_BLOCK = 5;
const SAME_IDENTITY = 2.5;
const SIMILAR = 0.4;
/** Statements after the same comment. */
const SAME_COMMENT = 0.5;
/** What is left of the worth of a pair if its decorators are those of another item of the name. */
const OTHER_CONDITION = 0.1;
/** An item of another name with the same lines. */
const RENAMED = 2;

export class ItemMatcher {
  readonly #file: Structure;
  readonly #answer: Structure;
  readonly #ids = new LineIds();
  readonly #heads = new Map<Item, ComparedLine>();
  readonly #texts = new Map<Item, string>();
  readonly #bodies = new Map<Item, string>();

  constructor(file: Structure, answer: Structure) {
    this.#file = file;
    this.#answer = answer;
  }

  textOf(item: Item, isInFile: boolean): string {
    const text = this.#texts.get(item) ?? plainText(isInFile ? this.#file : this.#answer, item);
    this.#texts.set(item, text);
    return text;
  }

  bodyOf(item: Item, isInFile: boolean): string {
    if (item.bodies.length === 0) return '';
    const body = this.#bodies.get(item) ?? bodyText(isInFile ? this.#file : this.#answer, item);
    this.#bodies.set(item, body);
    return body;
  }

  /** @param isAligned Whether spaces that align values below each other count as one. */
  areEqual(inFile: Item, inAnswer: Item, isAligned = false): boolean {
    const [own, shown] = [this.textOf(inFile, true), this.textOf(inAnswer, false)];
    const plain = (text: string) => text.replaceAll(/ {2,}/g, ' ');
    if (own !== shown && !(isAligned && plain(own) === plain(shown))) return false;
    const { blocks } = this.#file.syntax;
    const isIndented = blocks === 'indent' || blocks === 'list';
    return !isIndented || depthsOf(this.#file, inFile) === depthsOf(this.#answer, inAnswer);
  }

  /**
   * Pairs items in their order. Returns the index of the file's item for each item of the answer, -1 for new ones; undefined
   * if there are several equally good ways, as between repeated statements.
   * @param isClosed Whether the answer begins and ends where the level does.
   */
  match(inFile: readonly Item[], inAnswer: readonly Item[], isClosed: boolean): readonly number[] | undefined {
    const isLarge = inFile.length * inAnswer.length > MAX_PAIRS;
    const runs = isLarge && isClosed ? this.#equalRuns(inFile, inAnswer) : [];
    const matches = new Array<number>(inAnswer.length).fill(-1);
    let [old, shown] = [0, 0];
    for (const run of [...runs, { old: inFile.length, shown: inAnswer.length, length: 0 }]) {
      const between = this.#matchAll(inFile.slice(old, run.old), inAnswer.slice(shown, run.shown), isClosed);
      if (between === undefined) return undefined;
      for (const [index, match] of between.entries()) if (match !== -1) matches[shown + index] = match + old;
      for (let index = 0; index < run.length; index += 1) matches[run.shown + index] = run.old + index;
      [old, shown] = [run.old + run.length, run.shown + run.length];
    }
    return matches;
  }

  /** Most of a large level is usually equal in both, and comparing each item with each would take seconds. */
  #equalRuns(inFile: readonly Item[], inAnswer: readonly Item[]) {
    const [olds, news] = [
      inFile.map((item) => this.textOf(item, true)),
      inAnswer.map((item) => this.textOf(item, false)),
    ];
    const runs: { readonly old: number; readonly shown: number; readonly length: number }[] = [];
    let [old, shown] = [0, 0];
    for (const { added, removed, count = 0 } of diffArrays(olds, news, { maxEditLength: MAX_EDITS }) ?? []) {
      if (!added && !removed) runs.push({ old, shown, length: count });
      if (!added) old += count;
      if (!removed) shown += count;
    }
    return runs;
  }

  #matchAll(inFile: readonly Item[], inAnswer: readonly Item[], isClosed: boolean): readonly number[] | undefined {
    const width = inFile.length + 1;
    const isLarge = inFile.length * inAnswer.length > MAX_COMPARED;
    const best = new Float64Array(width * (inAnswer.length + 1));
    const paired = new Float64Array(width * (inAnswer.length + 1)).fill(Number.NEGATIVE_INFINITY);
    for (let row = 1; row <= inAnswer.length; row += 1) {
      const answer = inAnswer[row - 1];
      for (let column = 1; column < width; column += 1) {
        const file = inFile[column - 1];
        const at = row * width + column;
        const gain = file === undefined || answer === undefined ? 0 : this.gain(file, answer, isLarge);
        if (gain > 0) {
          const before = Math.max(best[at - width - 1] ?? 0, (paired[at - width - 1] ?? 0) + ADJACENT);
          const isEdge = isClosed && ((row === 1 && column === 1) || (row === inAnswer.length && column === width - 1));
          paired[at] = before + gain + (isEdge ? ADJACENT : 0);
        }
        best[at] = Math.max(best[at - 1] ?? 0, best[at - width] ?? 0, paired[at] ?? 0);
      }
    }
    const table = { best, paired, width, height: inAnswer.length };
    const late = trace(table, true);
    const early = trace(table, false);
    const isUnsure = late.some(
      (match, index) =>
        match !== early[index] && inAnswer[index] !== undefined && /\w/.test(this.textOf(inAnswer[index], false)),
    );
    return isUnsure ? undefined : late;
  }

  /** How sure it is that an item of the answer is a version of one of the file; 0 if it is not. */
  gain(inFile: Item, inAnswer: Item, isLarge = false): number {
    if (inAnswer.isMark) return 0;
    const gain = this.#gainOfLines(inFile, inAnswer, isLarge);
    return gain > 0 && this.#isForOtherCondition(inFile, inAnswer) ? gain * OTHER_CONDITION : gain;
  }

  /** Whether decorators, such as the systems that it is for, tell the item from another one with its first line. */
  #isForOtherCondition(inFile: Item, inAnswer: Item): boolean {
    if (inFile.head === inFile.start || inAnswer.head === inAnswer.start) return false;
    const [own, shown] = [decoratorsOf(this.#file, inFile), decoratorsOf(this.#answer, inAnswer)];
    if (own === '' || shown === '' || own === shown) return false;
    return inFile.level.items.some(
      (other) => other !== inFile && this.hasSameHead(other, inAnswer) && decoratorsOf(this.#file, other) !== own,
    );
  }

  #gainOfLines(inFile: Item, inAnswer: Item, isLarge: boolean): number {
    // Most items differ in their first line, and reading all lines of each takes long.
    const text = this.#areHeadsEqual(inFile, inAnswer) ? this.textOf(inAnswer, false) : undefined;
    if (text !== undefined && this.textOf(inFile, true) === text) return equalGain(inAnswer, text);
    if (inFile.isComment || inAnswer.isComment) {
      if (!inFile.isComment || !inAnswer.isComment) return 0;
      const first = similarity(this.#headOf(inFile, true), this.#headOf(inAnswer, false));
      const alike = Math.max(first, this.alikeness(inFile, inAnswer));
      return alike >= MIN_SIMILARITY ? alike * SIMILAR : 0;
    }
    if (inFile.identity !== inAnswer.identity && inFile.identity !== '' && inAnswer.identity !== '') {
      // A mark within an item stands for lines of another version of it.
      if (isSimilarName(inFile.identity, inAnswer.identity) && inAnswer.hasMarks) return RENAMED;
      const body = this.bodyOf(inFile, true);
      if (body !== '' && body === this.bodyOf(inAnswer, false)) return RENAMED;
      return inAnswer.hasMarks && !isLarge ? this.#gainOfRenamed(inFile, inAnswer) : 0;
    }
    const isSame = inFile.identity !== '' && inFile.identity === inAnswer.identity;
    if (isLarge) return isSame ? SAME_IDENTITY : 0;
    const alike = similarity(this.#headOf(inFile, true), this.#headOf(inAnswer, false));
    if (isSame) return SAME_IDENTITY + alike + this.alikeness(inFile, inAnswer);
    const isOneNamed = (inFile.identity === '') !== (inAnswer.identity === '');
    if (this.haveSameComment(inFile, inAnswer)) return SAME_COMMENT + alike * SIMILAR;
    if (isOneNamed || alike < MIN_SIMILARITY) return 0;
    // A head such as `{`, `try {`, or `watch(() => {` tells nothing.
    const isPlain = inAnswer.bodies.length > 0 && this.#isHeadPlain(inAnswer);
    const likeness = isPlain ? this.#likenessOfBlocks(inFile, inAnswer) : 1;
    if (likeness < MIN_SIMILARITY) return 0;
    // Conditions can consist of the same words although they differ.
    const isOther = alike < 1 && inAnswer.end - inAnswer.head > MIN_BLOCK && this.alikeness(inFile, inAnswer) === 0;
    if (isOther && inAnswer.bodies.length > 0) return 0;
    return alike * likeness * SIMILAR;
  }

  #isHeadPlain(inAnswer: Item): boolean {
    const head = this.#answer.lines[inAnswer.head]?.trim() ?? '';
    return this.#headOf(inAnswer, false).words.length <= 1 || isNameless(head);
  }

  /** Whether the same comment of several words is before both. */
  haveSameComment(inFile: Item, inAnswer: Item): boolean {
    const [own, shown] = [
      this.#file.lines.slice(inFile.start, inFile.head),
      this.#answer.lines.slice(inAnswer.start, inAnswer.head),
    ].map((lines) => lines.map((line) => line.trim()).join('\n'));
    return own === shown && /\w\W+\w+\W+\w/.test(own ?? '');
  }

  /** What omits lines is no new item, so that one of another name may be meant. */
  #gainOfRenamed(inFile: Item, inAnswer: Item): number {
    const [old, shown] = [inFile.identity, inAnswer.identity].map((identity) => identity.split(' ', 1)[0]);
    const isCall = old === 'call' && inFile.identity.split(' ', 2)[1] !== inAnswer.identity.split(' ', 2)[1];
    if (old !== shown || isCall || inFile.bodies.length === 0) return 0;
    const alike = Math.max(
      similarity(this.#headOf(inFile, true), this.#headOf(inAnswer, false)),
      this.alikeness(inFile, inAnswer),
    );
    return alike >= MIN_SIMILARITY ? alike * SIMILAR : 0;
  }

  /** Whether both are indented alike, and at all. Answers often show a part of a block at the margin. */
  haveSameIndentation(inFile: Item, inAnswer: Item): boolean {
    const [own, shown] = this.#firstLines(inFile, inAnswer).map(indentOf);
    return own === shown && shown !== '';
  }

  /** Whether both open a bracket at the end of their first line. */
  areBothOpen(inFile: Item, inAnswer: Item): boolean {
    return this.#firstLines(inFile, inAnswer).every((line) => /[{[(]\s*$/.test(line));
  }

  #firstLines(inFile: Item, inAnswer: Item): readonly [string, string] {
    return [this.#file.lines[inFile.head] ?? '', this.#answer.lines[inAnswer.head] ?? ''];
  }

  #areHeadsEqual(inFile: Item, inAnswer: Item): boolean {
    const [old, shown] = this.#firstLines(inFile, inAnswer).map((line) => line.trim().replace(/,$/, ''));
    return old === shown;
  }

  /** The share of the lines that the answer shows of an item which the file's item has, too. */
  alikeness(inFile: Item, inAnswer: Item, telling = /\w\W+\w/): number {
    const known = new Set(this.textOf(inFile, true).split('\n'));
    const all = this.textOf(inAnswer, false).split('\n');
    const marks = inAnswer.hasMarks ? new Set(this.#marksIn(inAnswer)) : undefined;
    const shown = marks === undefined ? all : all.filter((line) => !marks.has(line));
    const written = shown.filter((line) => telling.test(line) || shown.length === 1);
    return written.filter((line) => known.has(line)).length / Math.max(1, written.length);
  }

  /** How alike blocks are whose heads tell nothing. One that is the only such block at its place in both is the same. */
  #likenessOfBlocks(inFile: Item, inAnswer: Item): number {
    const { words } = this.#headOf(inAnswer, false);
    const isOnly = (item: Item, isInFile: boolean) =>
      item.level.items.every((other) => other === item || this.#headOf(other, isInFile).words.length > 0);
    if (words.length === 0 && isOnly(inFile, true) && isOnly(inAnswer, false)) return 1;
    return this.alikeness(inFile, inAnswer, /\w/);
  }

  #marksIn({ bodies }: Item): readonly string[] {
    const marks = bodies.flatMap((body) => [...itemsIn(body)].filter(({ isMark }) => isMark));
    return marks.map(({ head }) => this.#answer.lines[head]?.trim() ?? '');
  }

  /** How the lines before an item and its head, such as a condition and its arguments, differ. */
  hasSameHead(inFile: Item, inAnswer: Item): boolean {
    const [old, shown] = this.#firstLines(inFile, inAnswer);
    return old.trim() === shown.trim();
  }

  #headOf(item: Item, isInFile: boolean): ComparedLine {
    const known = this.#heads.get(item);
    if (known !== undefined) return known;
    const { lines } = isInFile ? this.#file : this.#answer;
    // A comment may begin with a line of signs.
    const first = item.isComment ? lines.slice(item.head, item.end).find((line) => /\w/.test(line)) : undefined;
    const text = first ?? lines[item.head] ?? '';
    // A condition may be wrapped.
    const isWrapped = item.bodies.length > 0 && WRAPPED_CONDITION.test(text);
    const ends = isWrapped ? lines.slice(item.head, item.end).findIndex((line) => /[{:]\s*$/.test(line)) : 0;
    const head = this.#ids.compare(isWrapped ? lines.slice(item.head, item.head + ends + 1).join(' ') : text);
    this.#heads.set(item, head);
    return head;
  }
}

/** A line such as `}` occurs everywhere, a long one does not. */
function equalGain({ bodies, identity }: Item, text: string): number {
  if (bodies.length > 0 || identity !== '') return EQUAL_BLOCK;
  return 0.3 + Math.min(text.length, 60) / 30;
}
