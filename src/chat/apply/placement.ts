/** Finds the levels of a file that the items of an answer belong to. */

import { indentOf } from '../review/lines.ts';
import { UncertainMerge } from './doubts.ts';
import type { ItemMatcher } from './itemMatching.ts';
import { isImport, itemsIn, membersOf } from './items.ts';
import { kindOf } from './itemText.ts';
import type { Item, Level, Structure } from './structure.ts';

export interface Placed {
  readonly level: Level;
  readonly items: readonly Item[];
}

/** What a found item tells about where the answer belongs. */
const IDENTITY = 3;
const TEXT = 2;
const SHORT_TEXT = 1;
const PLAIN_TEXT = 0.1;
/** A function of another level with fewer of its lines is likelier another one. */
const MIN_ALIKE = 0.5;
/** Of two functions of a name, the one with so much more of the lines is meant. */
const CLEARLY_MORE = 0.3;

/** With more pairs, it takes too long to look for statements that are alike. */
const MAX_COMPARED = 100_000;

/**
 * Divides the items of an answer by the levels that they belong to. Returns undefined if none of them is found.
 * @throws {UncertainMerge} if they belong to several places equally well.
 */
export function placesOf(file: Structure, answer: Structure, matcher: ItemMatcher): readonly Placed[] | undefined {
  const shown = answer.root.items.filter((item) => item.isMark || !isCloser(answer, item));
  const candidates = new Candidates(file, matcher);
  const found = new Map(shown.map((item) => [item, levelsOf(item, candidates, matcher)] as const));
  const scores = new Map<Level, number>();
  for (const levels of found.values()) {
    for (const [level, score] of levels) scores.set(level, (scores.get(level) ?? 0) + score);
  }
  const most = Math.max(0, ...scores.values());
  if (most < SHORT_TEXT) return besideMark(shown, file.root) ?? inRoot(shown, file, matcher);
  const [best, ...others] = [...scores].filter(([, score]) => score === most).map(([level]) => level);
  // Answers show the outermost level of the file most often. Where each item is in one level only, none has to be the main one.
  const isRoot = scores.get(file.root) === most;
  const isClear = [...found.values()].every(({ size }) => size <= 1);
  if (best === undefined || (others.length > 0 && !isRoot && !isClear)) throw new UncertainMerge();
  const main = isRoot ? file.root : best;
  if (shown.some((item) => isElsewhere(item, found.get(item), candidates.named(item), main, matcher)))
    throw new UncertainMerge();
  const placed = grouped(shown, found, main, file.root);
  for (const { level, items } of placed) {
    const known = items.filter((item) => found.get(item)?.has(level) === true && !item.isComment);
    const isOther = (item: Item) =>
      !item.isMark && !item.isComment && !isImport(item) && found.get(item)?.has(level) === false;
    if (items.some((item) => isOther(item) && isForeign(file, answer, level, item, known))) throw new UncertainMerge();
  }
  return placed;
}

/**
 * Whether a new item is none of the level of what the answer has beside it: it is indented otherwise, a function with another
 * keyword than the methods of a type, or a statement among them.
 */
function isForeign(file: Structure, answer: Structure, level: Level, item: Item, known: readonly Item[]): boolean {
  if (file.syntax.blocks !== 'brackets' && file.syntax.blocks !== 'indent') return false;
  const isClosed = (one: Item) => file.syntax.blocks === 'brackets' && one.bodies.length > 0;
  const widthOf = (one: Item) => indentOf(answer.lines[isClosed(one) ? one.end - 1 : one.head] ?? '').length;
  // The first line often lacks its indentation.
  const sure = answer.isBalanced ? known.find((one) => one !== answer.root.items[0] || isClosed(one)) : undefined;
  if (sure !== undefined && item.identity !== '' && widthOf(sure) !== widthOf(item)) return true;
  if (level.owner?.identity.startsWith('type ') !== true) return false;
  const isStatement = ({ identity }: Item) => identity === '' || identity.startsWith('call ');
  if (item.bodies.length === 0) return isStatement(item) && !level.items.some(isStatement);
  const blocks = level.items.filter(({ bodies }) => bodies.length > 0);
  return blocks.length > 0 && !blocks.some((one) => kindOf(file, one) === kindOf(answer, item));
}

/** Whether a block of another level is more like the item than the one that it would replace, or none is like it. */
function isElsewhere(
  item: Item,
  levels: ReadonlyMap<Level, number> | undefined,
  named: readonly Item[],
  main: Level,
  matcher: ItemMatcher,
): boolean {
  if (levels === undefined || !item.identity.startsWith('name ')) return false;
  const likeness = (items: readonly Item[]) => Math.max(0, ...items.map((one) => matcher.alikeness(one, item)));
  const [own, others] = [named.filter(({ level }) => level === main), named.filter(({ level }) => level !== main)];
  if (own.length > 0) return likeness(others) > likeness(own);
  return levels.size === 1 && others.length > 0 && likeness(others) < MIN_ALIKE;
}

/** New functions, types, or tests after a mark alone go to the end of a file of such. */
function besideMark(shown: readonly Item[], root: Level): readonly Placed[] | undefined {
  const isFunction = ({ identity, bodies }: Item) =>
    /^(?:name|section|block|type|call) /.test(identity) && bodies.length > 0;
  const [mark, ...added] = shown;
  if (mark?.isMark !== true || added.length === 0 || !added.every(isFunction)) return undefined;
  // The sections of a document are within that of its title.
  const [title, ...others] = root.items.filter(isFunction);
  const isTitle = others.length === 0 && title?.identity.startsWith('section ') === true;
  const level = (isTitle ? title.bodies.at(-1) : undefined) ?? root;
  return level.items.filter(isFunction).length > 1 ? [{ level, items: shown }] : undefined;
}

/** Imports, comments at the beginning, and statements that are like those of the file. */
function inRoot(shown: readonly Item[], { root }: Structure, matcher: ItemMatcher): readonly Placed[] | undefined {
  const first = shown.findIndex(({ isMark }) => isMark);
  if (shown.length === 0 || shown.length * root.items.length > MAX_COMPARED) return undefined;
  const last = shown.findLastIndex(({ isMark }) => isMark);
  const isAtEnd = ({ identity, bodies }: Item, index: number) =>
    first > 0 && index > last && /^(?:name|type) /.test(identity) && bodies.length > 0;
  const isAlike = (item: Item) => root.items.some((inFile) => matcher.gain(inFile, item) > 0);
  const belongs = (item: Item, index: number) =>
    item.isMark || isImport(item) || (item.isComment && index < first) || isAlike(item) || isAtEnd(item, index);
  return shown.every(belongs) ? [{ level: root, items: shown }] : undefined;
}

/** A line such as `}` ends what the answer does not show. */
function isCloser({ lines }: Structure, { head, end }: Item): boolean {
  return lines.slice(head, end).every((line) => /^[\s)\]}>;,]*(?:end)?\s*$/.test(line));
}

class Candidates {
  readonly #matcher: ItemMatcher;
  readonly #all: readonly Item[];
  readonly #byIdentity: ReadonlyMap<string, readonly Item[]>;
  readonly #byHead: ReadonlyMap<string, readonly Item[]>;
  /** Blocks by their other lines. Only a block whose name is not found needs them. */
  #byBody: ReadonlyMap<string, readonly Item[]> | undefined;

  constructor({ root, lines }: Structure, matcher: ItemMatcher) {
    this.#matcher = matcher;
    this.#all = [...itemsIn(root)];
    this.#byIdentity = Map.groupBy(this.#all, ({ identity }) => identity);
    this.#byHead = Map.groupBy(this.#all, ({ head }) => plainHead(lines[head]));
  }

  named({ identity }: Item): readonly Item[] {
    // Every function has a last statement, and many have a text that describes them.
    return identity === '' || identity.startsWith('statement ') ? [] : (this.#byIdentity.get(identity) ?? []);
  }

  /**
   * Of several blocks of a name, those that have clearly more lines of this one than the others, and of these the ones with its
   * members and its indentation.
   */
  likeliest(item: Item): readonly Item[] {
    const named = this.named(item);
    if (named.length < 2 || item.bodies.length === 0) return named;
    const shares = named.map((one) => this.#matcher.alikeness(one, item));
    const most = Math.max(...shares);
    const alike = most < MIN_ALIKE ? named : named.filter((_, index) => (shares[index] ?? 0) > most - CLEARLY_MORE);
    const hasMembers = (one: Item) => {
      const own = new Set(membersOf(one).map(({ identity }) => identity));
      return membersOf(item).some(({ identity }) => own.has(identity));
    };
    const isBlock = (one: Item) => this.#matcher.areBothOpen(one, item);
    const isIndented = (one: Item) => this.#matcher.haveSameIndentation(one, item);
    return onlyWith(isIndented, onlyWith(isBlock, onlyWith(hasMembers, alike)));
  }

  /** Comments that are other versions of this one, and what has the same comment. */
  likeComment(item: Item): readonly Item[] {
    return item.isComment
      ? this.#all.filter((one) => one.isComment && this.#matcher.gain(one, item) > 0)
      : this.#all.filter((one) => this.#matcher.haveSameComment(one, item));
  }

  /** Those whose first line is this one. */
  withHead(text: string): readonly Item[] {
    return this.#byHead.get(plainHead(text.split('\n', 1)[0])) ?? [];
  }

  withText(text: string): readonly Item[] {
    return this.withHead(text).filter((item) => this.#matcher.textOf(item, true) === text);
  }

  withBody(body: string): readonly Item[] {
    this.#byBody ??= Map.groupBy(this.#all, (item) => this.#matcher.bodyOf(item, true));
    return body === '' ? [] : (this.#byBody.get(body) ?? []);
  }
}

/** Those for which something holds, or all if it holds for none. */
function onlyWith(holds: (item: Item) => boolean, items: readonly Item[]): readonly Item[] {
  const found = items.length < 2 ? items : items.filter(holds);
  return found.length > 0 ? found : items;
}

function plainHead(line = ''): string {
  return line.trim().replace(/,$/, '');
}

/** The levels that contain the item, or another version of it. */
function levelsOf(item: Item, candidates: Candidates, matcher: ItemMatcher): ReadonlyMap<Level, number> {
  const levels = new Map<Level, number>();
  if (item.isMark) return levels;
  const add = (level: Level, score: number) => levels.set(level, Math.max(levels.get(level) ?? 0, score));
  const isBlock = item.bodies.length > 0;
  const text = matcher.textOf(item, false);
  const weight = !/\w/.test(text) ? PLAIN_TEXT : text.length < 8 ? SHORT_TEXT : TEXT;
  const [same, named] = [candidates.withText(text), candidates.likeliest(item)];
  // What occurs in few places tells more.
  for (const { level } of same) add(level, weight + weight / same.length + (isBlock ? IDENTITY : 0));
  if (item.identity !== '') for (const { level } of named) add(level, isBlock ? IDENTITY : SHORT_TEXT);
  const renamed = named.length === 0 && isBlock ? candidates.withBody(matcher.bodyOf(item, false)) : [];
  for (const { level } of renamed) add(level, IDENTITY);
  if (same.length === 0 && named.length === 0) for (const { level } of candidates.likeComment(item)) add(level, TEXT);
  const heads =
    isBlock && item.identity === '' ? candidates.withHead(text).filter(({ bodies }) => bodies.length > 0) : [];
  for (const { level } of heads) add(level, SHORT_TEXT + SHORT_TEXT / heads.length);
  return levels;
}

function grouped(
  shown: readonly Item[],
  found: ReadonlyMap<Item, ReadonlyMap<Level, number>>,
  main: Level,
  root: Level,
): readonly Placed[] {
  const groups = new Map<Level, Item[]>();
  let current: Level | undefined;
  let waiting: Item[] = [];
  for (const item of shown) {
    const levels = found.get(item) ?? new Map<Level, number>();
    const other = levels.size === 1 ? [...levels.keys()][0] : undefined;
    const level = levels.has(main) ? main : (other ?? (isImport(item) ? root : undefined));
    // It is in several places, none of which the others are in.
    if (level === undefined && item.bodies.length > 0 && item.identity !== '' && levels.size > 1)
      throw new UncertainMerge();
    if (level !== undefined) current = level;
    if (current === undefined) {
      waiting.push(item);
      continue;
    }
    groups.set(current, [...(groups.get(current) ?? []), ...waiting, item]);
    waiting = [];
  }
  return [...groups].map(([level, items]) => ({ level, items }));
}
