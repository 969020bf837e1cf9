/** Merges the items of an answer into those of a file. Marks keep what they cover, and what is not shown stays. */

import { indentOf, isBlank } from '../review/lines.ts';
import { aligned, certainOr, lacksItems } from './alignment.ts';
import { assemble, type MergedItem } from './assembly.ts';
import { Doubts, UncertainMerge } from './doubts.ts';
import { type Gap, type OpenPlace, omitsComments, unshownItems } from './gaps.ts';
import { inOrder, newImports, withImport } from './imports.ts';
import { type IndentedPair, indentOfItems, reindent } from './indentation.ts';
import { ItemMatcher } from './itemMatching.ts';
import { followsMark, membersOf, precedesMark } from './items.ts';
import type { Item, Level, Structure } from './structure.ts';

/** More pairs of items take too long. */
const MAX_PAIRS = 4_000_000;

export class Merge {
  readonly #file: Structure;
  readonly #answer: Structure;
  readonly matcher: ItemMatcher;
  readonly #doubts: Doubts;
  readonly #place: OpenPlace | undefined;

  /** @param place where new items between two marks go, which is not certain otherwise. */
  constructor(file: Structure, answer: Structure, place?: OpenPlace) {
    this.#place = place;
    this.#file = file;
    this.#answer = answer;
    this.matcher = new ItemMatcher(file, answer);
    this.#doubts = new Doubts(file, answer, this.matcher);
  }

  /**
   * Returns the new lines of a level.
   * @param isOpen Whether what is before the first and after the last item of the answer stays.
   */
  level(level: Level, shown: readonly Item[], isOpen: boolean): readonly string[] {
    if (level.items.length * shown.length > MAX_PAIRS) throw new UncertainMerge();
    const imports = newImports(this.#file, this.#answer, level, shown);
    const items = shown.filter((item) => !imports.some(({ inAnswer }) => inAnswer === item));
    const matches = this.matcher.match(level.items, items, !isOpen);
    if (matches === undefined) throw new UncertainMerge();
    const isMarked = items.some(({ isMark }) => isMark);
    if (items.length > 0 && !isMarked && matches.every((match) => match === -1)) throw new UncertainMerge();
    this.#doubts.refuseAmbiguous(level, items, matches);
    if (isMarked || isOpen) this.#doubts.refuseCrossed(level, items, matches);
    if (isMarked) this.#doubts.refuseFragments(level, items);
    const pieces: MergedItem[] = [];
    let [at, next] = [0, 0];
    let [isIdle, vanishes] = [false, false];
    for (let index = 0; index <= items.length; index += 1) {
      const match = index === items.length ? level.items.length : (matches[index] ?? -1);
      if (match === -1) continue;
      const gap: Gap = {
        added: items.slice(at, index),
        between: level.items.slice(next, match),
        neighbors: [level.items[next - 1], level.items[match]],
        previous: items[at - 1],
        isFirst: at === 0,
        isLast: index === items.length,
        isOpen,
        isMarked,
      };
      const placed = this.#gap(level, gap);
      const kept = new Set(placed.map(({ inFile }) => inFile));
      vanishes ||= !gap.between.every((item) => item.isComment || kept.has(item));
      isIdle ||= gap.between.length === 0 && gap.added.some(({ isMark }) => isMark);
      pieces.push(...placed);
      const [inFile, inAnswer] = [level.items[match], items[index]];
      if (inFile !== undefined && inAnswer !== undefined) {
        pieces.push({ lines: this.item(inFile, inAnswer), inFile, inAnswer });
      }
      [at, next] = [index + 1, match + 1];
    }
    // A mark stands for something. If it is not what vanishes, the items are matched in another way than they are meant.
    if (isIdle && vanishes) throw new UncertainMerge();
    const all = imports.reduce<readonly MergedItem[]>((placed, one) => {
      const added = { lines: this.#added(level, one.inAnswer), inAnswer: one.inAnswer };
      return withImport(placed, shown, one, added);
    }, pieces);
    return assemble(this.#file, this.#answer, level, all);
  }

  /** Returns the lines of a level with new items of the answer after its own. */
  append(level: Level, shown: readonly Item[]): readonly string[] {
    const added = shown.map((inAnswer): MergedItem => ({ lines: this.#added(level, inAnswer), inAnswer }));
    const kept = level.items.map((inFile) => this.#kept(inFile));
    return assemble(this.#file, this.#answer, level, [...kept, ...added]);
  }

  #gap(level: Level, gap: Gap): readonly MergedItem[] {
    const kept = gap.between.map((inFile): MergedItem => this.#kept(inFile));
    this.#doubts.refuseMoved(gap.between, gap.added);
    // A mark between a comment and an item stands for the rest of its comment.
    const [, next] = gap.neighbors;
    const known = next === undefined ? gap.between : [...gap.between, { ...next, end: next.head }];
    const isNew = (item: Item) => !item.isMark && !this.#doubts.isComment(known, item);
    const news = (items: readonly Item[]) =>
      items.filter(isNew).map((inAnswer): MergedItem => ({ lines: this.#added(level, inAnswer), inAnswer }));
    const first = gap.added.findIndex(({ isMark }) => isMark);
    const last = gap.added.findLastIndex(({ isMark }) => isMark);
    if (first !== -1) {
      const middle = gap.added.slice(first, last);
      const before = news(gap.added.slice(0, first));
      const after = news(gap.added.slice(last));
      if (middle.some((item) => isNew(item)) && kept.length > 0) {
        const sorted = inOrder(kept, news(middle)) ?? this.#placed(level, gap, kept, news(middle));
        return [...before, ...sorted, ...after];
      }
      return [...before, ...kept, ...news(middle), ...after];
    }
    if (gap.isOpen && gap.isFirst && gap.isLast && gap.added.length > 0)
      return this.#placed(level, gap, kept, news(gap.added));
    if (gap.isOpen && gap.isFirst) return [...kept, ...news(gap.added)];
    if (gap.isOpen && gap.isLast) return [...news(gap.added), ...kept];
    if (gap.between.length === 0) return news(gap.added);
    const stays = unshownItems(level, gap).map((inFile) => this.#kept(inFile));
    return gap.isFirst ? [...stays, ...news(gap.added)] : [...news(gap.added), ...stays];
  }

  /** @throws {UncertainMerge} unless the place has been chosen. */
  #placed(
    { owner }: Level,
    { neighbors }: Gap,
    kept: readonly MergedItem[],
    added: readonly MergedItem[],
  ): readonly MergedItem[] {
    if (this.#place === undefined) throw new UncertainMerge();
    const isLeaf = ({ inFile, inAnswer }: MergedItem) => (inFile ?? inAnswer)?.bodies.length === 0;
    const leaves = added.every(isLeaf) ? kept.findLastIndex(isLeaf) + 1 : 0;
    const { before } = this.#place;
    const at = before > 0 || leaves === 0 ? Math.max(0, kept.length - before) : leaves;
    this.#place.runs.push({ previous: kept[at - 1]?.inFile ?? neighbors[0] ?? owner, count: kept.length });
    return kept.toSpliced(at, 0, ...added);
  }

  #kept(inFile: Item): MergedItem {
    return { lines: this.#file.lines.slice(inFile.start, inFile.end), inFile };
  }

  /** Returns the lines of an item of the file as the answer shows it. */
  item(inFile: Item, inAnswer: Item): readonly string[] {
    const { lines } = this.#file;
    this.#doubts.refuseOtherSections(inFile, inAnswer);
    const lead = this.#lead(inFile, inAnswer);
    if (this.matcher.areEqual(inFile, inAnswer)) return [...lead, ...lines.slice(inFile.head, inFile.end)];
    if (inAnswer.shortHead !== undefined) return [...lead, ...this.#withHead(inFile, inAnswer.shortHead)];
    if (!inAnswer.hasMarks) {
      const sections = this.#sectionsAfter(inFile, inAnswer);
      this.#doubts.refuseAbridged(inFile, inAnswer, true);
      const rewritten = () => [...this.#rewritten(inFile, inAnswer, inAnswer.head, inAnswer.end), ...sections];
      const isPart = this.#file.syntax.blocks === 'list' && omitsComments(inFile, inAnswer);
      return [...lead, ...(isPart ? certainOr(() => this.#merged(inFile, inAnswer), rewritten) : rewritten())];
    }
    return [...lead, ...this.#shortened(inFile, inAnswer)];
  }

  /** The lines of an item of which the answer omits some: by those around the marks, or by its members if there are any. */
  #shortened(inFile: Item, inAnswer: Item): readonly string[] {
    const isFunction = inFile.identity.startsWith('name ') && this.#file.lines[inFile.head]?.includes('(') === true;
    if (isFunction || membersOf(inFile).every(({ bodies }) => bodies.length === 0)) {
      const lines = this.#aligned(inFile, inAnswer);
      // A mark stands for the beginning or the end of a block or text, so that the answer has no structure.
      if (lines === undefined && this.#file.isBalanced && !this.#answer.isBalanced) throw new UncertainMerge();
      return lines ?? this.#merged(inFile, inAnswer);
    }
    return certainOr(
      () => this.#merged(inFile, inAnswer),
      () => this.#aligned(inFile, inAnswer, true),
    );
  }

  #aligned(inFile: Item, inAnswer: Item, keepsItems = false): readonly string[] | undefined {
    const shown = this.#rewritten(inFile, inAnswer, inAnswer.head, inAnswer.end);
    const old = this.#file.lines.slice(inFile.head, inFile.end);
    const lines = aligned(old, shown, (line) => this.#answer.marks.has(inAnswer.head + line), true);
    const isCertain = (identity: string) => keepsItems || /^(?:tag \S+ |call |label )/.test(identity);
    return lines && lacksItems(old, lines, this.#file.syntax, isCertain) ? undefined : lines;
  }

  /** An answer that shows no sections within a section shows its text alone. */
  #sectionsAfter(inFile: Item, inAnswer: Item): readonly string[] {
    if (this.#file.syntax.blocks !== 'sections') return [];
    const sectionsOf = ({ bodies }: Item) =>
      bodies.flatMap(({ items }) => items.filter(({ identity }) => identity.startsWith('section ')));
    const [first] = sectionsOf(inFile);
    if (first === undefined) return [];
    const isShown = sectionsOf(inAnswer).length > 0;
    if (isShown && precedesMark(inAnswer)) throw new UncertainMerge();
    if (isShown) return [];
    return ['', ...this.#file.lines.slice(first.start, inFile.end)];
  }

  #withHead(inFile: Item, head: string): readonly string[] {
    const { lines } = this.#file;
    const first = lines[inFile.head] ?? '';
    const own = first.trim().replace(/[{:]$/, '').trim();
    if (own === head.trim().replace(/[{:]$/, '').trim()) return lines.slice(inFile.head, inFile.end);
    if (inFile.bodies.length > 1 || inFile.bodies[0]?.start !== inFile.head + 1) throw new UncertainMerge();
    const end = /[{:]$/.exec(first.trim())?.[0] ?? '';
    const written = `${indentOf(first)}${head.trim().replace(/[{:]$/, '').trimEnd()}${end === '{' ? ' {' : end}`;
    return [written, ...lines.slice(inFile.head + 1, inFile.end)];
  }

  /** Merges block by block. Without the same number of blocks, only the last one, which marks may shorten. */
  #merged(inFile: Item, inAnswer: Item): readonly string[] {
    const [olds, news] = [inFile.bodies, inAnswer.bodies];
    const isSame = olds.length === news.length;
    const [old, shown] = [olds.at(-1), news.at(-1)];
    if (old === undefined || shown === undefined) throw new UncertainMerge();
    if (!isSame && news.slice(0, -1).some(({ items }) => items.some(({ hasMarks }) => hasMarks)))
      throw new UncertainMerge();
    const pairs = isSame ? olds.map((level, index) => [level, news[index] as Level] as const) : [[old, shown] as const];
    const result: string[] = [];
    let [at, from] = [inFile.head, inAnswer.head];
    for (const [level, shownLevel] of pairs) {
      const sign = opener(this.#file, level);
      // A mark among parameters may stand for the end of the list and the beginning of the block.
      if (sign !== opener(this.#answer, shownLevel) || (!isSame && sign === '(')) throw new UncertainMerge();
      const isHead = at === inFile.head;
      result.push(...this.#own(inFile, inAnswer, [at, level.start], [from, shownLevel.start], isHead));
      result.push(...this.level(level, shownLevel.items, false));
      [at, from] = [level.end, shownLevel.end];
    }
    return [...result, ...this.#own(inFile, inAnswer, [at, inFile.end], [from, inAnswer.end], false)];
  }

  /** The lines between blocks: the answer's, unless they are equal, or the answer ends before them. */
  #own(
    inFile: Item,
    inAnswer: Item,
    [start, end]: readonly [number, number],
    [from, to]: readonly [number, number],
    isHead: boolean,
  ): readonly string[] {
    const own = this.#file.lines.slice(start, end);
    const shown = this.#answer.lines.slice(from, to);
    const plain = (lines: readonly string[]) =>
      lines
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join('\n');
    if (plain(own) === plain(shown) || (!isHead && plain(shown) === '')) return own;
    return this.#rewritten(inFile, inAnswer, from, to);
  }

  /** Lines of the answer with the indentation of the file's item. */
  #rewritten(inFile: Item, inAnswer: Item, start: number, end: number): readonly string[] {
    const pair = { line: this.#file.lines[inFile.head] ?? '', code: this.#answer.lines[inAnswer.head] ?? '' };
    return this.#indented(start, end, pair);
  }

  #indented(start: number, end: number, pair: IndentedPair): readonly string[] {
    const own = this.#answer.lines.slice(start, end);
    // The indentation of prose is no unit of blocks.
    if (this.#file.syntax.blocks === 'sections') return own;
    return reindent(own, [pair], { text: this.#file.lines, code: this.#answer.lines });
  }

  /** The lines of an item that the file lacks. */
  #added(level: Level, inAnswer: Item): readonly string[] {
    const line = this.#answer.lines[inAnswer.head] ?? '';
    if (inAnswer.hasMarks) throw new UncertainMerge();
    return this.#indented(inAnswer.start, inAnswer.end, {
      line: `${indentOfItems(this.#file.lines, level)}x`,
      code: line,
    });
  }

  /** Comments and decorators: those of the answer, and of the file what the answer does not show. */
  #lead(inFile: Item, inAnswer: Item): readonly string[] {
    const own = this.#file.lines.slice(inFile.start, inFile.head);
    const shown = this.#answer.lines.slice(inAnswer.start, inAnswer.head);
    if (shown.length === 0) return own;
    const isDecorator = (line: string) => /^(?:@|#!?\[|\[|template\b)/.test(line.trim());
    const written = this.#rewritten(inFile, inAnswer, inAnswer.start, inAnswer.head);
    if (followsMark(inAnswer)) {
      const known = new Set(written.map((line) => line.trim()));
      // A comment over several lines is shown as a whole.
      const isInBlock = (line: string) => /^(?:\/\*|\*)/.test(line.trim());
      const isOld = (line: string) => known.has(line.trim()) || (isInBlock(line) && shown.some(isInBlock));
      return [...own.filter((line) => !isOld(line)), ...written];
    }
    if (shown.every(isDecorator)) return [...own.filter((line) => !isDecorator(line)), ...written];
    if (!shown.some(isDecorator)) return [...written, ...own.filter(isDecorator)];
    return written;
  }
}

/** The bracket or sign before a block, which tells parameters from statements. */
function opener({ lines }: Structure, { start }: Level): string {
  const line = lines.slice(0, start).findLast((one) => !isBlank(one));
  return /[([{:]\s*$/.exec(line ?? '')?.[0].trim() ?? '';
}
