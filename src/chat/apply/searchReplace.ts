/** Reads SEARCH/REPLACE blocks, in which an answer repeats lines of a file and gives those that replace them. */
import { diffArrays } from 'diff';
import { MAX_COMPARED } from '../review/hunks.ts';
import { isMark } from './marks.ts';
import { propose } from './proposal.ts';
import type { FileDiff, UnifiedDiffLine } from './unifiedDiff.ts';

const OPENER = /^\s*(?:<{5,9}|-{5,9})\s*(?:SEARCH|ORIGINAL|OLD|FIND)\b[>:\s]*$/i;
const DIVIDER = /^\s*={5,9}\s*$/;
const CLOSER = /^\s*(?:>{5,9}|\+{5,9})\s*(?:REPLACE|UPDATED|NEW)\b[>:\s]*$/i;

/** What some formats write between the opener and the lines that are searched, and some models before the others, too. */
const SEARCH_OPTION = /^:(?:(?:start|end)_line:\s*\[?\d*\]?|\d+:)\s*$/;
const OPTIONS_END = /^-{5,9}\s*$/;

const PATH =
  /^(?:(?:\/\/|#+|--|;|\/\*|<!--)\s*)?(?:file(?:name|path)?:\s*)?[`*"']*((?:[\w@.()[\] +~-]+[\\/])*[\w@()[\] +~-]*\.?[\w-]+)[`*"':]*\s*(?:\*\/|-->)?$/i;

/** In characters. The pattern of paths would take too long on very long lines. */
const MAX_PATH_LENGTH = 300;

interface Block {
  readonly path: string | undefined;
  readonly search: readonly string[];
  readonly replace: readonly string[];
}

/**
 * Reads all blocks of a code, each as one change of the file that the line before it names.
 * @returns undefined if there are none, or if one of them is incomplete, so that nothing of it may be applied.
 */
export function parseSearchReplace(code: string): readonly FileDiff[] | undefined {
  const blocks = blocksOf(code.split(/\r?\n/));
  if (blocks === undefined || blocks.length === 0) return undefined;
  const files = new Map<string | undefined, FileDiff>();
  for (const { path, search, replace } of blocks) {
    const hunks = hunksOf(search, replace);
    if (hunks === undefined) return undefined;
    const file = files.get(path);
    files.set(path, {
      ...(path !== undefined && { path }),
      kind: 'changed',
      hunks: [...(file?.hunks ?? []), ...hunks.map((lines) => ({ header: '', lines }))],
    });
  }
  return [...files.values()];
}

/** Returns undefined if a block is not complete. */
function blocksOf(lines: readonly string[]): readonly Block[] | undefined {
  const blocks: Block[] = [];
  let path: string | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (!OPENER.test(line)) {
      path = pathIn(line, lines[at + 1] ?? '') ?? path;
      continue;
    }
    const divider = lines.findIndex((other, index) => index > at && DIVIDER.test(other));
    const closer = lines.findIndex((other, index) => index > divider && (CLOSER.test(other) || OPENER.test(other)));
    if (divider === -1 || !CLOSER.test(lines[closer] ?? '')) return undefined;
    const search = withoutOptions(lines.slice(at + 1, divider));
    if (search.some((other) => OPENER.test(other) || CLOSER.test(other))) return undefined;
    blocks.push({
      path,
      search: unescaped(search),
      replace: unescaped(withoutOptions(lines.slice(divider + 1, closer))),
    });
    at = closer;
  }
  return blocks;
}

/** A path is on the line before a block, or before the fence around it. */
function pathIn(line: string, next: string): string | undefined {
  if (!OPENER.test(next) && !/^\s*(?:`{3,}|~{3,})/.test(next)) return undefined;
  if (line.length > MAX_PATH_LENGTH) return undefined;
  const path = PATH.exec(line.trim())?.[1]?.trim();
  return path === undefined || path === '' ? undefined : path;
}

function withoutOptions(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !SEARCH_OPTION.test(line));
  if (first <= 0) return lines;
  // Some models write the number of the line again after them.
  return OPTIONS_END.test(lines[first] ?? '') ? withoutOptions(lines.slice(first + 1)) : lines.slice(first);
}

/** Code that contains such markers itself has a backslash before them. */
function unescaped(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/^(\s*)\\(?=[<>=+-]{5,9})/, '$1'));
}

/**
 * The changes of one block: lines that both sides have are context. Marks that both sides have separate changes. Returns
 * undefined if only the searched lines are abridged.
 */
function hunksOf(
  search: readonly string[],
  replace: readonly string[],
): readonly (readonly UnifiedDiffLine[])[] | undefined {
  const [olds, news] = [splitAtMarks(search), splitAtMarks(replace)];
  if (olds.length === news.length) {
    return olds.flatMap((old, index) => {
      const lines = difference(old, news[index] ?? []);
      return lines.some(({ kind }) => kind !== 'kept') ? [lines] : [];
    });
  }
  if (olds.length > 1) return undefined;
  const merged = propose(search.join('\n'), replace.join('\n'));
  return merged === undefined ? undefined : [difference(search, merged.split('\n'))];
}

function splitAtMarks(lines: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (isMark(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}

function difference(before: readonly string[], after: readonly string[]): readonly UnifiedDiffLine[] {
  const parts = diffArrays([...before], [...after], { maxEditLength: MAX_COMPARED }) ?? [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ];
  return parts.flatMap(({ value, added, removed }) =>
    value.map((text) => ({ kind: added ? 'added' : removed ? 'removed' : 'kept', text }) as const),
  );
}
