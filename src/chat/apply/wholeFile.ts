/** Tells code that is a new version of a whole file from code that shows a part of it. */

import { Doubts, UncertainMerge } from './doubts.ts';
import { ItemMatcher } from './itemMatching.ts';
import { isImport, lacksMembers, membersOf } from './items.ts';
import { codeLines, wordsOf } from './itemText.ts';
import { namesOf } from './orphans.ts';
import { endsEarly, unshownRemovals } from './shownRemovals.ts';
import type { Item, Structure } from './structure.ts';

/** A whole file has at least this share of the lines of the one that it replaces. */
const MIN_SHARE = 0.6;
/** The same, if nothing is missing that the rest still uses. */
const MIN_SHARE_OF_USED = 0.4;
/** With this share, it is whole even if items are missing in several places. */
const CLEAR_SHARE = 0.85;

/** A rule is kept if another one has this share of its lines. */
const MIN_KEPT = 0.5;
/** What a file begins with that no other statement replaces. */
const PRELUDE = /^(?:package|namespace|module)\b/;

/**
 * Whether the code is a new version of the whole text: it has all of its items, or the first one, the last one, and most of
 * the lines.
 * @throws {UncertainMerge} if it may also be a part.
 */
export function isWhole(file: Structure, answer: Structure): boolean {
  const shown = answer.root.items;
  if (shown.some(({ hasMarks }) => hasMarks)) return false;
  const matcher = new ItemMatcher(file, answer);
  const doubts = new Doubts(file, answer, matcher);
  const items = file.root.items.filter(({ isComment }) => !isComment);
  const matches = matcher.match(items, shown, true);
  if (matches === undefined) return sharedLines(file, answer) >= MIN_SHARE && endsAlike(file, answer);
  const found = new Set(matches.filter((match) => match !== -1));
  const missing = items.filter((_, index) => !found.has(index));
  const pairs = matches.flatMap((match, index) => {
    const [inFile, inAnswer] = [items[match], shown[index]];
    return inFile === undefined || inAnswer === undefined ? [] : [{ inFile, inAnswer }];
  });
  for (const { inFile, inAnswer } of pairs) doubts.refuseAbridged(inFile, inAnswer, items.length === 1);
  if (items.length === 0) return sharedLines(file, answer) >= MIN_SHARE;
  if (missing.length === 0) {
    const isProse = file.syntax.blocks === 'sections';
    if (isProse && pairs.some(({ inFile, inAnswer }) => hasSections(inFile) && !hasSections(inAnswer))) return false;
    const isMost = sharedLines(file, answer) >= MIN_SHARE;
    const isPart = items.length === 1 && pairs.some(({ inFile, inAnswer }) => lacksKeys(inFile, inAnswer));
    const isDoubtful = isMost
      ? endsEarly(file, answer)
      : isPart || unshownRemovals(file, answer, answer.lines).length > 0;
    if (isDoubtful) throw new UncertainMerge();
    return true;
  }
  if (found.size === 0) return false;
  const isStatement = (item: Item | undefined) => item?.bodies.length === 0;
  const isPrelude = ({ head }: Item) => PRELUDE.test(file.lines[head] ?? '');
  const isOther = (index: number, place: number) => {
    const item = items[index];
    return (
      item !== undefined &&
      matches.at(place) === -1 &&
      isStatement(item) &&
      !isPrelude(item) &&
      isStatement(shown.at(place))
    );
  };
  const [first, last] = [Math.min(...found), Math.max(...found)];
  const share = sharedLines(file, answer);
  const unused = share < MIN_SHARE_OF_USED ? new Set<Item>() : unusedItems(file, answer, missing);
  const isGone = (item: Item) => unused.has(item);
  const hasOtherImports =
    isImport(shown.find(({ isComment }) => !isComment)) &&
    items.slice(0, first).every((item) => isImport(item) && !isPrelude(item));
  const begins = items.slice(0, first).every(isGone) || (first === 1 && isOther(0, 0)) || hasOtherImports;
  const ends = items.slice(last + 1).every(isGone) || (last === items.length - 2 && isOther(last + 1, -1));
  const isMost = share >= (missing.every(isGone) ? MIN_SHARE_OF_USED : MIN_SHARE);
  // A part of a component or page does not vanish because the answer shows the others.
  if (missing.some(({ identity }) => identity.startsWith('tag '))) throw new UncertainMerge();
  if (isMost && begins && ends) {
    const expected = items.filter((item) => !isGone(item));
    const places = matches.map((match) => expected.indexOf(items[match] as Item));
    // A missing block may as well be one that the answer does not change.
    const most = missing.some((item) => item.bodies.length > 0 && !isGone(item)) ? 0 : 1;
    if (share < CLEAR_SHARE && gapsIn(expected, shown, places) > most) throw new UncertainMerge();
    const isKept = (item: Item) => shown.some((one) => matcher.alikeness(one, item) >= MIN_KEPT);
    if (missing.some((item) => isRepeatedRule(items, item) && !isKept(item))) throw new UncertainMerge();
    if (last === items.length - 1 && endsEarly(file, answer)) throw new UncertainMerge();
    return true;
  }
  const same = pairs.filter(({ inFile, inAnswer }) => inFile.bodies.length > 0 && matcher.areEqual(inFile, inAnswer));
  const lacksBlocks = missing.some(({ bodies }) => bodies.length > 0);
  // A whole file begins with its imports, and one item alone is none.
  const lacksImports = items.some(isImport) && !shown.some(isImport);
  if (lacksBlocks && found.size > 1 && !lacksImports && (isMost ? begins || ends : begins && same.length > 0))
    throw new UncertainMerge();
  return false;
}

/** Those of the missing items that the rest of the file uses and the answer does not, or declares otherwise. */
function unusedItems(file: Structure, answer: Structure, missing: readonly Item[]): ReadonlySet<Item> {
  const known = new Set(answer.root.items.flatMap((item) => namesOf(answer, item)));
  const used = wordsOf(codeLines(answer));
  const counts = new Map<string, number>();
  for (const line of codeLines(file)) for (const word of wordsOf([line])) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isUsedByOthers = (item: Item, name: string) =>
    (counts.get(name) ?? 0) > codeLines(file, item).filter((line) => wordsOf([line]).has(name)).length;
  const isGone = (item: Item) => {
    const names = namesOf(file, item);
    return (
      names.length > 0 && names.every((name) => known.has(name) || (!used.has(name) && isUsedByOthers(item, name)))
    );
  };
  return new Set(missing.filter(isGone));
}

/** Whether an item is a rule of a style sheet whose name another one has, too. */
function isRepeatedRule(items: readonly Item[], { identity, start }: Item): boolean {
  return identity.startsWith('block ') && items.some((one) => one.start !== start && one.identity === identity);
}

function hasSections(item: Item): boolean {
  return membersOf(item).some(({ identity }) => identity.startsWith('section '));
}

/** In how many places the answer lacks items without having others there. It is likelier a choice of items than a file then. */
function gapsIn(items: readonly Item[], shown: readonly Item[], matches: readonly number[]): number {
  const found = [...shown.keys()].filter((index) => (matches[index] ?? -1) !== -1);
  return found.filter((index, place) => {
    const next = found[place + 1];
    if (next === undefined) return false;
    const between = items.slice((matches[index] ?? 0) + 1, matches[next]);
    const isCode = (item: Item) => !item.isComment && !isImport(item);
    return between.some(isCode) && shown.slice(index + 1, next).every(({ isComment }) => isComment);
  }).length;
}

/** Whether an object without a name, such as that of a JSON file, or a document lacks keys or sections that it had. */
function lacksKeys(inFile: Item, inAnswer: Item): boolean {
  return /^(?:section |$)/.test(inFile.identity) && lacksMembers(inFile, inAnswer);
}

/** Whether the first lines and the last lines are the same. */
function endsAlike({ lines: old }: Structure, { lines: shown }: Structure): boolean {
  const [before, after] = [old, shown].map((lines) =>
    lines.map((line) => line.trim()).filter((line) => /\w/.test(line)),
  );
  return before?.[0] === after?.[0] && before?.at(-1) === after?.at(-1);
}

/** The share of the file's lines that the answer has, too. */
function sharedLines(file: Structure, answer: Structure): number {
  const counts = new Map<string, number>();
  for (const line of answer.lines) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  const written = file.lines.map((line) => line.trim()).filter((line) => /\w/.test(line));
  const shared = written.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count > 0;
  });
  return shared.length / written.length;
}
