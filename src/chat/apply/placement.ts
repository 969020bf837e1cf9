/** Finds the levels of a file that the items of an answer belong to. */

import { UncertainMerge } from './doubts.ts';
import type { ItemMatcher } from './itemMatching.ts';
import { type Item, itemsIn, type Level, type Structure } from './structure.ts';

export interface Placed {
  readonly level: Level;
  readonly items: readonly Item[];
}

/** What a found item tells about where the answer belongs. */
const IDENTITY = 3;
const TEXT = 2;
const SHORT_TEXT = 1;
const PLAIN_TEXT = 0.1;

/**
 * Divides the items of an answer by the levels that they belong to. Returns undefined if none of them is found.
 * @throws {UncertainMerge} if they belong to several places equally well.
 */
export function placesOf(file: Structure, answer: Structure, matcher: ItemMatcher): readonly Placed[] | undefined {
  const shown = answer.root.items.filter((item) => item.isMark || !isCloser(answer, item));
  const candidates = candidatesIn(file, matcher);
  const found = new Map(shown.map((item) => [item, levelsOf(item, candidates, matcher)] as const));
  const scores = new Map<Level, number>();
  for (const levels of found.values()) {
    for (const [level, score] of levels) scores.set(level, (scores.get(level) ?? 0) + score);
  }
  const [best, second] = [...scores].sort(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < SHORT_TEXT) return besideMark(shown, file.root);
  if (second !== undefined && second[1] === best[1]) {
    const main = mainOf(best[0], second[0], file.root);
    if (main === undefined) throw new UncertainMerge();
    best[0] = main;
  }
  return grouped(shown, found, best[0], file.root);
}

/** New functions, types, or tests after a mark alone go to the end of a file of such. */
function besideMark(shown: readonly Item[], root: Level): readonly Placed[] | undefined {
  const isFunction = ({ identity, bodies }: Item) =>
    /^(?:name|section|block|type|call) /.test(identity) && bodies.length > 0;
  const [mark, ...added] = shown;
  if (mark?.isMark !== true || added.length === 0 || !added.every(isFunction)) return undefined;
  return root.items.filter(isFunction).length > 1 ? [{ level: root, items: shown }] : undefined;
}

/** A line such as `}` ends what the answer does not show. */
function isCloser({ lines }: Structure, { head, end }: Item): boolean {
  return lines.slice(head, end).every((line) => /^[\s)\]}>;,]*(?:end)?\s*$/.test(line));
}

/** Of two equally good levels, the outermost one of the file, which answers show most often. */
function mainOf(one: Level, other: Level, root: Level): Level | undefined {
  return one === root || other === root ? root : undefined;
}

interface Candidates {
  readonly byIdentity: ReadonlyMap<string, readonly Item[]>;
  readonly byText: ReadonlyMap<string, readonly Item[]>;
  /** Blocks by their first line, for those that nothing else identifies. */
  readonly byHead: ReadonlyMap<string, readonly Item[]>;
}

function candidatesIn(file: Structure, matcher: ItemMatcher): Candidates {
  const all = [...itemsIn(file.root)];
  const by = (key: (item: Item) => string) =>
    Map.groupBy(
      all.filter((item) => key(item) !== ''),
      key,
    );
  const headOf = ({ head, bodies }: Item) => (bodies.length > 0 ? (file.lines[head]?.trim() ?? '') : '');
  return {
    byIdentity: by(({ identity }) => identity),
    byText: by((item) => matcher.textOf(item, true)),
    byHead: by(headOf),
  };
}

/** The levels that contain the item, or another version of it. */
function levelsOf(
  item: Item,
  { byIdentity, byText, byHead }: Candidates,
  matcher: ItemMatcher,
): ReadonlyMap<Level, number> {
  const levels = new Map<Level, number>();
  if (item.isMark) return levels;
  const add = (level: Level, score: number) => levels.set(level, Math.max(levels.get(level) ?? 0, score));
  const isBlock = item.bodies.length > 0;
  const text = matcher.textOf(item, false);
  const weight = !/\w/.test(text) ? PLAIN_TEXT : text.length < 8 ? SHORT_TEXT : TEXT;
  const [same, named] = [byText.get(text) ?? [], byIdentity.get(item.identity) ?? []];
  // What occurs in few places tells more.
  for (const { level } of same) add(level, weight + weight / same.length + (isBlock ? IDENTITY : 0));
  if (item.identity !== '') for (const { level } of named) add(level, isBlock ? IDENTITY : SHORT_TEXT);
  const heads = isBlock && item.identity === '' ? (byHead.get(text.split('\n', 1)[0] ?? '') ?? []) : [];
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
    const isImport = item.identity.startsWith('import ');
    const level = levels.has(main) ? main : (other ?? (isImport ? root : undefined));
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
