/** Tells code that is a new version of a whole file from code that shows a part of it. */
import { Doubts, UncertainMerge } from './doubts.ts';
import { ItemMatcher } from './itemMatching.ts';
import { hasMarks, type Item, type Structure } from './structure.ts';

/** A whole file has at least this share of the lines of the one that it replaces. */
const MIN_SHARE = 0.6;

/**
 * Whether the code is a new version of the whole text: it has all of its items, or the first one, the last one, and most of
 * the lines.
 * @throws {UncertainMerge} if it may also be a part.
 */
export function isWhole(file: Structure, answer: Structure): boolean {
  const shown = answer.root.items;
  if (shown.some(hasMarks)) return false;
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
  for (const { inFile, inAnswer } of pairs) doubts.refuseAbridged(inFile, inAnswer);
  if (missing.length === 0) return true;
  if (found.size === 0) return false;
  const isStatement = (item: Item | undefined) => item?.bodies.length === 0;
  const isOther = (index: number, place: number) =>
    matches.at(place) === -1 && isStatement(items[index]) && isStatement(shown.at(place));
  const [first, last] = [Math.min(...found), Math.max(...found)];
  const begins = first === 0 || (first === 1 && isOther(0, 0));
  const ends = last === items.length - 1 || (last === items.length - 2 && isOther(last + 1, -1));
  const isMost = sharedLines(file, answer) >= MIN_SHARE;
  if (isMost && begins && ends) return true;
  const same = pairs.filter(({ inFile, inAnswer }) => inFile.bodies.length > 0 && matcher.areEqual(inFile, inAnswer));
  const lacksBlocks = missing.some(({ bodies }) => bodies.length > 0);
  if (lacksBlocks && (isMost || (begins && same.length > 0))) throw new UncertainMerge();
  return false;
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
