/** Finds the blocks of a file that new items of an answer may belong to, for a user who chooses one of them. */
import { indentOf, isBlank } from '../review/lines.ts';
import { UncertainMerge } from './doubts.ts';
import { isImport } from './imports.ts';
import { itemsIn } from './items.ts';
import { wordsOf } from './itemText.ts';
import { Merge } from './merge.ts';
import { structuresOf, withLineBreaks } from './proposal.ts';
import { unshownRemovals } from './shownRemovals.ts';
import { type Item, type Level, type Structure, structureOf } from './structure.ts';

/** The most containers that are found. A list of more is not read. */
const MAX_CONTAINERS = 8;

/** A block with members of the same kinds as the items of an answer. */
export interface Container {
  /** Its first line, and where that is, counted from 0. Undefined for the file itself. */
  readonly head: string | undefined;
  readonly line: number;
  /** The file's text with the items at the end of the block. */
  readonly text: string;
}

/**
 * Returns the containers that have none of the items yet, the most likely first: with the indentation of the items if they
 * have one, then with members whose heads have most words of the items.
 * @param path The file's path, which tells its language.
 */
export function containersFor(text: string, code: string, path: string): readonly Container[] {
  const { file, answer, marks } = structuresOf(text, code, path);
  const items = answer.root.items.filter((item) => !isImport(item));
  const shown = items.filter(({ isComment }) => !isComment);
  if (marks.size > 0 || shown.length === 0 || shown.some(({ identity }) => identity === '')) return [];
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
    const lines = appended(file, answer, level, items);
    const head = level.owner && file.lines[level.owner.head]?.trim();
    return lines === undefined ? [] : [{ head, line: level.owner?.head ?? 0, text: withLineBreaks(text, lines) }];
  });
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
  const kinds = new Set(items.map((item) => kindOf(file, item)));
  const known = new Set(file.syntax.hasOverloads ? [] : items.map(({ identity }) => identity));
  // A file may have its first function or type.
  const isPossible = (item: Item) =>
    kinds.has(kindOf(answer, item)) || (owner === undefined && isDeclaration(answer, item));
  return shown.every((item) => isPossible(item) && !known.has(item.identity));
}

const DECLARATION = /\b(?:function|def|fn|func|fun|sub|const|let|var)\b/;

function isDeclaration({ lines }: Structure, item: Item): boolean {
  if (item.identity.startsWith('type ')) return true;
  return item.identity.startsWith('name ') && DECLARATION.test(lines[item.head] ?? '') && !isMethod(lines, item);
}

function isMethod(lines: readonly string[], { head }: Item): boolean {
  return /\(\s*(?:&?(?:mut\s+)?self|cls)\b/.test(lines.slice(head, head + 2).join('\n'));
}

/** What tells a method from a function, a field from a variable, and a heading from one of another level. */
function kindOf({ lines }: Structure, item: Item): string {
  const [kind = '', word = ''] = item.identity.split(' ');
  const isBlock = item.bodies.length > 0;
  if (kind === 'name')
    return [kind, isBlock, DECLARATION.exec(lines[item.head] ?? '')?.[0], isMethod(lines, item)].join();
  return [kind, isBlock, /^(?:type|block|tag|item)$/.test(kind) ? '' : word].join();
}

function wordsIn(lines: readonly string[]): Set<string> {
  return new Set([...wordsOf(lines)].filter((word) => word.length > 2));
}

/** The file with the items at the end of the level, and with the imports of the answer. Undefined if these are not certain. */
function appended(
  file: Structure,
  answer: Structure,
  level: Level,
  items: readonly Item[],
): readonly string[] | undefined {
  const { lines } = file;
  const imports = answer.root.items.filter(isImport);
  try {
    const own = new Merge(file, answer).append(level, items);
    const added = [...lines.slice(0, level.start), ...own, ...lines.slice(level.end)];
    if (imports.length === 0) return added;
    const current = structureOf(added.join('\n'), file.syntax);
    const merged = new Merge(current, answer).level(current.root, imports, { isOpen: true });
    return unshownRemovals(file, answer, merged).length > 0 ? undefined : merged;
  } catch (error) {
    if (error instanceof UncertainMerge) return undefined;
    throw error;
  }
}
