/** Finds the blocks of a file that new items of an answer may belong to, for a user who chooses one of them. */
import { indentOf, isBlank } from '../review/lines.ts';
import { UncertainMerge } from './doubts.ts';
import type { OpenPlace } from './gaps.ts';
import { isImport, itemsIn } from './items.ts';
import { DECLARATION, isMethod, kindOf, wordsOf } from './itemText.ts';
import { Merge } from './merge.ts';
import { propose, structuresOf, withLineBreaks } from './proposal.ts';
import { unshownRemovals } from './shownRemovals.ts';
import { type Item, type Level, type Structure, structureOf } from './structure.ts';

/** The most containers that are found. A list of more is not read. */
const MAX_CONTAINERS = 8;

/** A block with members of the same kinds as the items of an answer. */
export interface Container {
  /** Its first line, and where that is, counted from 0. Undefined for the file itself. */
  readonly head: string | undefined;
  readonly line: number;
  /** Whether the items follow the item of this line, or are the first of its block, instead of the last. */
  readonly isAfter?: true;
  /** The file's text with the items at the end of the block, or at that place. */
  readonly text: string;
}

/**
 * Returns the containers that have none of the items yet, the most likely first: with the indentation of the items if they
 * have one, then with members whose heads have most words of the items.
 * @param path The file's path, which tells its language.
 */
export function containersFor(text: string, code: string, path: string): readonly Container[] {
  const { file, answer } = structuresOf(text, code, path);
  if (answer.marks.size > 0) return placesBetweenMarks(text, code, path, file);
  const known = new Set([...itemsIn(file.root)].map(({ identity }) => identity));
  const isNew = ({ identity, isComment }: Item) => isComment || !known.has(identity);
  const [news, others] = [answer.root.items.filter((item) => !isImport(item)), answer.root.items.filter(isImport)];
  // Without new items, one of another block with the same name is meant.
  const hasNew = news.some((item) => isNew(item) && !item.isComment);
  const items = hasNew ? news.filter(isNew) : news;
  const rest = hasNew ? answer.root.items.filter((item) => !items.includes(item)) : others;
  const shown = items.filter(({ isComment }) => !isComment);
  if (shown.length === 0 && news.length > 0) return [atBeginning(text, file, answer)];
  if (shown.length === 0 || shown.some(({ identity }) => identity === '')) return [];
  const levels = levelsOf(file).filter((level) => fits(file, level, answer, shown));
  const wanted = wordsIn(answer.lines);
  const indent = indentOf(answer.lines[shown[0]?.head ?? 0] ?? '');
  const likeliness = (level: Level) => {
    const heads = level.items.flatMap(({ start, head }) => file.lines.slice(start, head + 1));
    const isIndented = indent !== '' && indentOf(heads.find((line) => !isBlank(line)) ?? '') === indent;
    return (isIndented ? wanted.size : 0) + [...wordsIn(heads)].filter((word) => wanted.has(word)).length;
  };
  const ranked = levels.map((level) => ({ level, likely: likeliness(level) })).sort((a, b) => b.likely - a.likely);
  return ranked.slice(0, MAX_CONTAINERS).flatMap(({ level }) => {
    const lines = appended(file, answer, level, { items, rest, path });
    const head = level.owner && file.lines[level.owner.head]?.trim();
    return lines === undefined ? [] : [{ head, line: level.owner?.head ?? 0, text: withLineBreaks(text, lines) }];
  });
}

/** A comment alone, such as that of a license, is for the whole file. */
function atBeginning(text: string, { lines }: Structure, answer: Structure): Container {
  const first = /^(?:#!|<\?php)/.test(lines[0] ?? '') ? 1 : 0;
  const rest = lines.slice(first);
  const added = [...lines.slice(0, first), ...answer.lines, ...(isBlank(rest[0] ?? '') ? [] : ['']), ...rest];
  return { head: undefined, line: 0, isAfter: true, text: withLineBreaks(text, added) };
}

/** Where new items between two marks may go, the last place first. Several runs of them go to the end of what they are in. */
function placesBetweenMarks(text: string, code: string, path: string, { lines }: Structure): readonly Container[] {
  const places: Container[] = [];
  for (let before = 0; places.length < MAX_CONTAINERS; before += 1) {
    const runs: OpenPlace['runs'] = [];
    const placed = propose(text, code, path, { before, runs });
    const [run, ...others] = runs;
    if (placed === undefined || run === undefined || before > run.count) return places;
    const line = run.previous?.head ?? 0;
    const head = run.previous && lines[line]?.trim();
    if (places.every((one) => one.text !== placed)) places.push({ head, line, isAfter: true, text: placed });
    if (others.length > 0) return places;
  }
  return places;
}

/** The levels of the file, and of what has members. Those of functions and of lists of parameters have none. */
function levelsOf({ root, lines }: Structure): readonly Level[] {
  const owners = [...itemsIn(root)].filter(({ identity, head }) =>
    identity.startsWith('name ')
      ? !lines[head]?.includes('(')
      : /^(?:type|section|block|call|item|tag) /.test(identity),
  );
  return [root, ...owners.flatMap(({ bodies }) => bodies)];
}

function fits(file: Structure, { items, owner }: Level, answer: Structure, shown: readonly Item[]): boolean {
  const { lines } = file;
  const kinds = new Set(items.map((item) => kindOf(file, item)));
  const known = new Set(file.syntax.hasOverloads ? [] : items.map(({ identity }) => identity));
  const hasFieldsOnly =
    /\bclass\b/.test(lines[owner?.head ?? 0] ?? '') && items.every(({ bodies }) => bodies.length === 0);
  // A file may have its first function or type, and a class its first method.
  const isPossible = (item: Item) =>
    kinds.has(kindOf(answer, item)) ||
    (owner === undefined ? isDeclaration(answer, item) : hasFieldsOnly && isMember(answer, item));
  return shown.every((item) => isPossible(item) && !known.has(item.identity));
}

function isDeclaration({ lines }: Structure, item: Item): boolean {
  if (item.identity.startsWith('type ')) return true;
  return item.identity.startsWith('name ') && DECLARATION.test(lines[item.head] ?? '') && !isMethod(lines, item);
}

/** Whether it is a function without the word that begins one outside of a class, or with its object as a parameter. */
function isMember({ lines }: Structure, item: Item): boolean {
  const isBlock = item.identity.startsWith('name ') && item.bodies.length > 0;
  return isBlock && (isMethod(lines, item) || !DECLARATION.test(lines[item.head] ?? ''));
}

function wordsIn(lines: readonly string[]): Set<string> {
  return new Set([...wordsOf(lines)].filter((word) => word.length > 2));
}

interface Shown {
  readonly items: readonly Item[];
  /** What the file has in another version, and the imports. */
  readonly rest: readonly Item[];
  readonly path: string;
}

/** The file with the items at the end of the level, and with the rest of the answer. Undefined if that is not certain. */
function appended(
  file: Structure,
  answer: Structure,
  level: Level,
  { items, rest, path }: Shown,
): readonly string[] | undefined {
  const { lines } = file;
  try {
    const own = new Merge(file, answer).append(level, items);
    const added = [...lines.slice(0, level.start), ...own, ...lines.slice(level.end)];
    if (rest.length === 0) return added;
    if (!rest.every(isImport)) {
      const code = rest.map(({ start, end }) => answer.lines.slice(start, end).join('\n')).join('\n\n');
      return propose(added.join('\n'), code, path)?.split('\n');
    }
    const current = structureOf(added.join('\n'), file.syntax);
    const merged = new Merge(current, answer).level(current.root, rest, true);
    return unshownRemovals(file, answer, merged).length > 0 ? undefined : merged;
  } catch (error) {
    if (error instanceof UncertainMerge) return undefined;
    throw error;
  }
}
