/**
 * Finds what a merge leaves without a use or a declaration: if an answer rewrites every use of a name that it does not show, it
 * may replace what declares it as well, and if it uses what it removes, it is abridged.
 */

import { declaredNames } from './identity.ts';
import { importedNames } from './importNames.ts';
import { isImport, itemsIn } from './items.ts';
import { codeLines, wordsOf } from './itemText.ts';
import { type Item, type Level, type Structure, structureOf } from './structure.ts';

/** What a module exports may be the result of a call. */
const CALL_AS_DEFAULT = /^export\s+default\s+(?!async\b|function\b)[\w$.]+\(/;

/**
 * Whether the file uses what a function or variable of it declares, and the merged text does not.
 * @param removed the lines of the file that the merged text lacks.
 */
export function leavesOrphans(
  file: Structure,
  answer: Structure,
  merged: readonly string[],
  removed: ReadonlySet<number>,
): boolean {
  const words = wordsOf([...removed].map((line) => file.lines[line] ?? ''));
  const shown = new Set(answer.lines.map((line) => line.trim()));
  return declarationsIn(file.root).some((item) => {
    const { lines } = file;
    // An import that nothing uses any more does no harm.
    if (isImport(item)) return false;
    if (removed.has(item.head) || shown.has(lines[item.head]?.trim() ?? '')) return false;
    // What others may use is not orphaned.
    const names = isExported(file, item) ? [] : namesOf(file, item);
    if (names.length === 0 || !names.every((name) => words.has(name))) return false;
    const own = new Set(lines.slice(item.head, item.end));
    const isUsed = (name: string) =>
      merged.some((line) => line.includes(name) && !own.has(line) && wordsOf([line]).has(name));
    return !names.some(isUsed);
  });
}

/** Whether an import vanishes whose names the merged text still uses and no other import makes known. */
export function losesImports(
  file: Structure,
  answer: Structure,
  merged: readonly string[],
  removed: ReadonlySet<number>,
): boolean {
  const texts = new Set(merged);
  const isGone = ({ head }: Item) => removed.has(head) && !texts.has(file.lines[head] ?? '');
  const gone = file.root.items.filter((item) => isImport(item) && isGone(item));
  if (gone.length === 0) return false;
  const namesIn = ({ root, lines }: Structure, items = root.items) =>
    items.filter(isImport).flatMap(({ head, end }) => modulesOf(lines.slice(head, end)));
  const stays = file.root.items.filter((item) => !gone.includes(item));
  const isCall = ({ head }: Item) => CALL_AS_DEFAULT.test(answer.lines[head] ?? '');
  const declared = answer.root.items.flatMap((item) => (isCall(item) ? [] : namesOf(answer, item)));
  const known = new Set([...namesIn(answer), ...namesIn(file, stays), ...declared]);
  const textsOf = ({ root, lines }: Structure) =>
    root.items.filter(isImport).flatMap(({ head, end }) => lines.slice(head, end));
  const imports = new Set([...textsOf(file), ...textsOf(answer)]);
  const code = codeLines({ lines: merged, syntax: file.syntax });
  const used = wordsOf(code.filter((line) => !imports.has(line)));
  return namesIn(file, gone).some((name) => used.has(name) && !known.has(name));
}

/** The names that an import makes known, or that of a module which it imports as a whole. */
function modulesOf(lines: readonly string[]): readonly string[] {
  const names = importedNames(lines);
  const module = /^\s*import\s+([a-z_]\w*)$/.exec(lines[0] ?? '')?.[1];
  return names.length === 0 && module !== undefined ? [module] : names;
}

/** Whether a member of a type vanishes that other members of the type still use. */
export function leavesGaps(
  file: Structure,
  answer: Structure,
  merged: readonly string[],
  removed: ReadonlySet<number>,
): boolean {
  const shown = new Set([...itemsIn(answer.root)].map(({ identity }) => identity));
  const isMember = ({ identity, level }: Item) =>
    identity.startsWith('name ') && !shown.has(identity) && level.owner?.identity.startsWith('type ') === true;
  const gone = [...itemsIn(file.root, [...removed])].filter((item) => removed.has(item.head) && isMember(item));
  if (gone.length === 0) return false;
  const { lines, root } = structureOf(merged.join('\n'), file.syntax);
  const types = [...itemsIn(root)].filter(({ identity }) => identity.startsWith('type '));
  return gone.some(({ identity, level }) => {
    const type = types.find((one) => one.identity === level.owner?.identity);
    const name = identity.slice('name '.length);
    if (type === undefined || type.bodies.some(({ items }) => items.some((item) => item.identity === identity)))
      return false;
    const escaped = name.replaceAll(/[^\w]/g, '\\$&');
    const use = new RegExp(`(?:\\b(?:this|self)\\??\\.|->|@)${escaped}\\b`);
    return lines.slice(type.start, type.end).some((line) => use.test(line));
  });
}

/** The items of a file, or of the parts of a component. */
function declarationsIn({ items }: Level): readonly Item[] {
  return items.flatMap((item) => {
    const parts = item.identity.startsWith('tag ') ? item.bodies : [];
    return [item, ...parts.flatMap((body) => body.items)];
  });
}

function isExported({ lines }: Structure, { head }: Item): boolean {
  return /^\s*(?:export|pub|public)\b/.test(lines[head] ?? '');
}

/** The names that an item makes known to what is beside it. */
export function namesOf({ lines }: Structure, item: Item): readonly string[] {
  const head = lines[item.head] ?? '';
  if (isImport(item)) return importedNames(lines.slice(item.head, item.end));
  const name = /^(?:name|type) ([\p{L}\p{N}_$]+)$/u.exec(item.identity)?.[1];
  return name === undefined ? declaredNames(head) : [name];
}
