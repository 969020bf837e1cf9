/** Where an answer can be read in several ways, so that the user has to decide. */
import { indentOf } from '../review/lines.ts';
import { declaredNames, isSimilarName } from './identity.ts';
import { importedNames } from './importNames.ts';
import type { ItemMatcher } from './itemMatching.ts';
import { isContainer, isImport, itemsIn, membersOf } from './items.ts';
import type { Item, Level, Structure } from './structure.ts';

const BRACKET = /^[{)\]}]/;

/** What contains members: types, calls such as those of tests, sections, and conditions of style sheets. */
const CONTAINER = /^(?:(?:type|call|section) |block @)/;

export class UncertainMerge extends Error {}

/** Two items of the same name are told apart by so much more of their lines. */
const CLEARLY_ALIKE = 0.2;
const NEARLY_AS_ALIKE = 0.75;
/** What a match of statements is worth that are the same but for some words. */
const CLEARLY_SAME = 0.28;
/** Fewer lines are in two places by chance. */
const MIN_MOVED = 2;
/** Statements with fewer words are like others by chance. */
const MIN_WORDS = 4;
/** With a similar name, an item with this share of lines is likelier renamed than new. */
const MIN_ALIKE = 0.6;
/** With this share of their lines, two of different names are likelier versions of one. */
const MIN_SHARED = 0.75;
/** Fewer lines are the same in several functions. */
const MIN_LINES = 4;

export class Doubts {
  readonly #file: Structure;
  readonly #answer: Structure;
  readonly #matcher: ItemMatcher;

  constructor(file: Structure, answer: Structure, matcher: ItemMatcher) {
    this.#file = file;
    this.#answer = answer;
    this.#matcher = matcher;
  }

  /**
   * Several items of a level may have the same name.
   * @throws {UncertainMerge} if another one than the matching one may be meant, or if an item that is new may be another
   * version of one that is elsewhere in the level.
   */
  refuseAmbiguous({ items }: Level, shown: readonly Item[], matches: readonly number[]): void {
    const byIdentity = Map.groupBy(items, ({ identity }) => identity);
    for (const [index, inAnswer] of shown.entries()) {
      const isNamed = inAnswer.identity !== '' && inAnswer.identity === items[matches[index] ?? -1]?.identity;
      if (!isNamed && this.#hasRival(items, shown, matches, index)) throw new UncertainMerge();
      if (inAnswer.identity === '' || inAnswer.identity.startsWith('import ')) continue;
      const candidates = byIdentity.get(inAnswer.identity) ?? [];
      const matched = items[matches[index] ?? -1];
      const others = candidates.filter((item) => item !== matched && !matches.includes(items.indexOf(item)));
      if (matched === undefined) {
        if (candidates.length > 0 || this.#isImported(items, inAnswer)) throw new UncertainMerge();
        continue;
      }
      if (this.#matcher.areEqual(matched, inAnswer)) continue;
      const hasSameHead = this.#matcher.hasSameHead(matched, inAnswer);
      const isMarked = shown.some(({ isMark }) => isMark);

      const likeness = this.#matcher.alikeness(matched, inAnswer);
      // Of several declarations of a name without a block, a further one is as likely as another version of one.
      const isDeclaration = inAnswer.bodies.length > 0 && !/[{:]$/m.test(this.#matcher.textOf(inAnswer, false));
      if (isDeclaration && others.length > 0 && this.#file.syntax.blocks === 'brackets') throw new UncertainMerge();
      const rivals = hasSameHead ? others.filter((item) => this.#matcher.hasSameHead(item, inAnswer)) : others;
      const isAnother = rivals.some((item) => likeness - this.#matcher.alikeness(item, inAnswer) < CLEARLY_ALIKE);
      if (isAnother && (isMarked || inAnswer.bodies.length > 0)) throw new UncertainMerge();
      // It may be an overload that is added.
      const differs = matched.identity === inAnswer.identity && matched.bodies.length > 0 && !hasSameHead;
      if (
        this.#file.syntax.hasOverloads &&
        differs &&
        (likeness < CLEARLY_ALIKE || this.#isOverload(matched, inAnswer)) &&
        inAnswer.identity.startsWith('name ')
      ) {
        throw new UncertainMerge();
      }
    }
  }

  /**
   * Whether another statement between the same neighbors is nearly as similar as the one that is replaced, or whether it is only a
   * little alike and nothing but marks is beside it, so that it may be new.
   */
  #hasRival(items: readonly Item[], shown: readonly Item[], matches: readonly number[], index: number): boolean {
    const [inFile, inAnswer] = [items[matches[index] ?? -1], shown[index]];
    if (
      inFile === undefined ||
      inAnswer === undefined ||
      inAnswer.isComment ||
      this.#matcher.areEqual(inFile, inAnswer)
    )
      return false;
    const before = matches.slice(0, index).findLast((one) => one !== -1) ?? -1;
    const after = matches.slice(index + 1).find((one) => one !== -1) ?? items.length;
    const rivals = items.slice(before + 1, after).filter((item) => item !== inFile);
    const likeness = this.#matcher.gain(inFile, inAnswer);
    const isAlone = shown[index - 1]?.isMark === true && shown[index + 1]?.isMark === true;
    if (isAlone && likeness < CLEARLY_SAME && inAnswer.bodies.length === 0) return true;
    return rivals.some((rival) => this.#matcher.gain(rival, inAnswer) >= likeness * NEARLY_AS_ALIKE);
  }

  /** Whether a function has other parameters, and not most lines of the one of its name. */
  #isOverload(inFile: Item, inAnswer: Item): boolean {
    const [old, shown] = [inFile, inAnswer].map((item, index) =>
      this.#matcher.textOf(item, index === 0).split('\n'),
    ) as [string[], string[]];
    const parametersOf = ([head = '']: readonly string[]) => /\((.*)\)/.exec(head)?.[1]?.split(',').length ?? 0;
    const isSame =
      /\(\s*\)/.test(old[0] ?? '') === /\(\s*\)/.test(shown[0] ?? '') && parametersOf(old) === parametersOf(shown);
    const lines = old.slice(1).filter((line) => /\w\W+\w|\w\(/.test(line));
    const known = new Set(shown);
    return !isSame && lines.filter((line) => known.has(line)).length < lines.length * MIN_ALIKE;
  }

  /** Whether an import makes the name known that a new item declares. */
  #isImported(items: readonly Item[], { identity }: Item): boolean {
    const { lines } = this.#file;
    const names = items.filter(isImport).flatMap(({ head, end }) => importedNames(lines.slice(head, end)));
    return names.some((name) => identity === `name ${name}`);
  }

  /**
   * What the answer has before an item, and the file after it, was moved, or the wrong one of several alike is matched.
   * @throws {UncertainMerge} if an item would be removed at one place and added at another one.
   */
  refuseCrossed({ items }: Level, shown: readonly Item[], matches: readonly number[]): void {
    const matched = new Set(matches);
    const rest = items.filter((_, index) => !matched.has(index)).map((item) => this.#matcher.textOf(item, true));
    const isCrossed = (item: Item, index: number) => {
      const text = this.#matcher.textOf(item, false);
      const own = items[matches[index] ?? -1];
      const isSame = own !== undefined && this.#matcher.textOf(own, true) === text;
      return !isSame && !item.isMark && !item.isComment && /\w\W+\w|\w\(/.test(text) && rest.includes(text);
    };
    if (shown.some(isCrossed)) throw new UncertainMerge();
  }

  /**
   * Items beside each other have one indentation. What follows a mark and is deeper was cut out of a block that is not shown.
   * @throws {UncertainMerge} if there is such an item.
   */
  refuseFragments({ items }: Level, shown: readonly Item[]): void {
    const { lines, syntax } = this.#answer;
    if (syntax.blocks === 'sections' || syntax.blocks === 'list') return;
    const widthOf = (line: number) => indentOf(lines[line] ?? '').replaceAll('\t', '    ').length;
    const hasBare = items.some(({ head }) => BRACKET.test(this.#file.lines[head]?.trim() ?? ''));
    const isCut = (item: Item, index: number) => {
      const mark = shown[index - 1];
      if (item.isMark || item.isComment || mark?.isMark !== true) return false;
      const text = lines[item.head]?.trim() ?? '';
      const width = widthOf(item.head);
      const isInBlock = item.level.owner !== undefined && widthOf(mark.head) > widthOf(item.level.owner.head);
      const later = shown.slice(index + 1).filter(({ isMark }) => !isMark);
      return (
        (BRACKET.test(text) && !hasBare) ||
        (isInBlock && width > widthOf(mark.head)) ||
        later.some(({ head }) => widthOf(head) < width && !/^\W/.test(lines[head]?.trim() ?? ''))
      );
    };
    if (shown.some(isCut)) throw new UncertainMerge();
  }

  /** Whether an item of the answer is a comment that the lines between its neighbors have. */
  isComment(between: readonly Item[], item: Item): boolean {
    return item.isComment && between.some((inFile) => this.#hasAll(item, inFile, false));
  }

  /**
   * Lines that stay and that a new block has as well were likelier moved into it, and an item that is nearly the same under
   * a similar name was likelier renamed.
   * @throws {UncertainMerge} if there are such lines.
   */
  refuseMoved(between: readonly Item[], added: readonly Item[]): void {
    const [first, last] = [added.findIndex(({ isMark }) => isMark), added.findLastIndex(({ isMark }) => isMark)];
    // What follows a neighbor directly takes the place of what follows it in the file.
    const isOpposite = (index: number, place: number) => {
      if (first === -1 || (index > first && index < last)) return true;
      return index < first ? place <= index : between.length - place <= added.length - index;
    };
    const isMoved = (inFile: Item) => added.some((item) => item.bodies.length > 0 && this.#hasAll(inFile, item, true));
    const isDoubtful = (inFile: Item, place: number) =>
      isMoved(inFile) || added.some((item, index) => isOpposite(index, place) && this.#isOtherVersion(inFile, item));
    if (between.some((inFile, place) => !inFile.isComment && isDoubtful(inFile, place))) throw new UncertainMerge();
    // An older version of a new block often has the same comment.
    const leads = added.flatMap(({ start, head }) => this.#answer.lines.slice(start, head));
    const known = new Set(leads.map((line) => line.trim()));
    const isLead = (line: string) => /\w\W+\w/.test(line) && known.has(line);
    const isKept = (inFile: Item) => this.#matcher.textOf(inFile, true).split('\n').some(isLead);
    if (between.some((inFile) => inFile.isComment && isKept(inFile))) throw new UncertainMerge();
  }

  #isOtherVersion(inFile: Item, inAnswer: Item): boolean {
    const line = this.#answer.lines[inAnswer.head] ?? '';
    if (declaredNames(line).some((name) => inFile.identity === `name ${name}`)) return true;
    if (this.#matcher.haveSameComment(inFile, inAnswer) || this.#contains(inFile, inAnswer)) return true;
    if (inFile.bodies.length === 0 || inAnswer.bodies.length === 0) return false;
    const isAlike = isSimilarName(inFile.identity, inAnswer.identity);
    if (isAlike && this.#matcher.alikeness(inFile, inAnswer) >= MIN_ALIKE) return true;
    return this.#sharedLines(inFile, inAnswer) >= MIN_SHARED;
  }

  /** The share of the lines of the longer one of two blocks that the other one has, too. */
  #sharedLines(inFile: Item, inAnswer: Item): number {
    const [old, shown] = [inFile, inAnswer].map((item, index) =>
      this.#matcher
        .textOf(item, index === 0)
        .split('\n')
        .slice(1)
        .filter((line) => /\w\W+\w/.test(line)),
    ) as [string[], string[]];
    const known = new Set(old);
    const longest = Math.max(old.length, shown.length, MIN_LINES);
    return shown.filter((line) => known.has(line)).length / longest;
  }

  /** Whether one of two statements has all words of the other one, in the same order. */
  #contains(inFile: Item, inAnswer: Item): boolean {
    if (inFile.bodies.length > 0 || inAnswer.isComment || inAnswer.isMark) return false;
    const wordsOf = (item: Item, isInFile: boolean) =>
      this.#matcher.textOf(item, isInFile).replaceAll(/\W+/g, ' ').trim();
    const [old, shown] = [wordsOf(inFile, true), wordsOf(inAnswer, false)];
    const [short, long] = old.length < shown.length ? [old, shown] : [shown, old];
    return short.split(' ', MIN_WORDS).length === MIN_WORDS && ` ${long} `.includes(` ${short} `);
  }

  /** Whether all lines of one item, of which several have words, are lines of the other one. */
  #hasAll(one: Item, other: Item, isInFile: boolean): boolean {
    const linesOf = ({ lines }: Structure, { start, end }: Item) => lines.slice(start, end).map((line) => line.trim());
    const [file, answer] = [this.#file, this.#answer];
    const wanted = linesOf(isInFile ? file : answer, one).filter((line) => /\w\W+\w/.test(line));
    const known = new Set(linesOf(isInFile ? answer : file, other));
    return wanted.length >= (isInFile ? MIN_MOVED : 1) && wanted.every((line) => known.has(line));
  }

  /**
   * An answer that omits a heading shows sections within another one than the file does.
   * @throws {UncertainMerge} if it shows such a section.
   */
  refuseOtherSections(inFile: Item, inAnswer: Item): void {
    if (this.#file.syntax.blocks !== 'sections') return;
    const sectionsIn = (levels: readonly Level[]) =>
      levels.flatMap((level) =>
        [...itemsIn(level)].filter(({ identity }) => identity !== '').map(({ identity }) => identity),
      );
    const own = new Set(sectionsIn(inFile.bodies));
    const all = new Set(sectionsIn([this.#file.root]));
    if (sectionsIn(inAnswer.bodies).some((one) => !own.has(one) && all.has(one))) throw new UncertainMerge();
  }

  /**
   * An answer that shows no member as it is, and lacks others, is likelier abridged than complete, and so is one that lacks most
   * of them.
   * @param isAlone Whether the answer shows the item without the rest of the file, and so perhaps only a part of it.
   * @throws {UncertainMerge} if it is such an answer.
   */
  refuseAbridged(inFile: Item, inAnswer: Item, isAlone = false): void {
    const ends = (line = '') => /(?:[\]};,]|\bend)\s*$/.test(line);
    const isClosed = ({ lines }: Structure, { bodies, end }: Item) =>
      bodies.at(-1)?.end !== end && ends(lines[end - 1]);
    const isBlock = inFile.bodies.length > 0;
    if (isBlock && isClosed(this.#file, inFile) && !isClosed(this.#answer, inAnswer)) throw new UncertainMerge();
    const hasKeys = this.#file.syntax.blocks === 'list';
    const isProse = inFile.identity.startsWith('section ') && this.#file.syntax.lineComments.length === 0;
    // Words of a text can look like names. A section that is shown without any sections in it shows its text alone.
    const partsOf = (item: Item) =>
      membersOf(item).filter(({ identity }) => !isProse || identity.startsWith('section '));
    const members = partsOf(inFile);
    const isObject = isAlone && this.#answer.marks.size === 0 && isContainer(this.#file, inFile);
    if (!hasKeys && !isObject && !CONTAINER.test(inFile.identity)) return;
    const shown = new Map(partsOf(inAnswer).map((item) => [item.identity, item]));
    if (isProse && shown.size === 0) return;
    const missing = members.filter(({ identity }) => !shown.has(identity));
    const same = members.filter((item) => {
      const other = shown.get(item.identity);
      return other !== undefined && this.#matcher.areEqual(item, other, true);
    });
    if (hasKeys && isAlone && members.length === 0 && this.#isOtherList(inFile, inAnswer)) throw new UncertainMerge();
    const isMost = isAlone && missing.length > 1 && missing.length > shown.size;
    if (missing.length > 0 && (same.length === 0 || isMost)) throw new UncertainMerge();
    for (const item of hasKeys ? members : []) {
      const other = shown.get(item.identity);
      if (other !== undefined) this.refuseAbridged(item, other);
    }
  }

  /** Whether two lists have nothing in common, so that another one of the name may be meant. */
  #isOtherList(inFile: Item, inAnswer: Item): boolean {
    const [olds, shown] = [inFile, inAnswer].map((item, index) =>
      item.bodies.flatMap(({ items }) => items.map((one) => this.#matcher.textOf(one, index === 0))),
    ) as [string[], string[]];
    return olds.length > 1 && shown.length > 1 && !olds.some((text) => shown.includes(text));
  }
}
