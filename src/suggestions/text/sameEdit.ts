/** Finds the next place for a change that was made twice: a name that was replaced, or an argument that was added. */
import { calledBefore } from './signatures.ts';

/** A change within a line. */
export interface LineEdit {
  readonly removed: string;
  readonly inserted: string;
  /** The line before and after the changed part. */
  readonly left: string;
  readonly right: string;
}

/** A change that a person has made twice. */
export type RepeatedEdit =
  | { readonly kind: 'name'; readonly removed: string; readonly inserted: string }
  /** Text added before the closing bracket of calls of a function. */
  | { readonly kind: 'argument'; readonly called: string; readonly inserted: string };

/** A place where the change fits. Columns are counted from 0. */
export interface EditPlace {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const NAME_PART = /[\p{L}\p{N}_$]/u;
/** A change of a longer line is none of the two kinds. */
const MAX_LINE = 1_000;

/** Returns the change between two versions of a line; of names, always whole ones. */
export function editBetween(before: string, after: string): LineEdit | undefined {
  if (before === after || before.length > MAX_LINE || after.length > MAX_LINE) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  if (isWithinName(before, start, end) || isWithinName(after, start, end)) {
    while (start > 0 && NAME_PART.test(before[start - 1] ?? '')) start -= 1;
    while (end > 0 && NAME_PART.test(before.at(-end) ?? '')) end -= 1;
  }
  const removed = before.slice(start, before.length - end);
  const inserted = after.slice(start, after.length - end);
  return { removed, inserted, left: before.slice(0, start), right: end === 0 ? '' : before.slice(-end) };
}

/** Whether the change touches a name, so that only a part of it may have changed. */
function isWithinName(text: string, start: number, end: number): boolean {
  const changed = text.slice(start, text.length - end);
  return changed === '' ? false : NAME.test(changed) || /^[\p{L}\p{N}_$]+$/u.test(changed);
}

/** Returns what two changes have in common, if it is plain enough to be offered again. */
export function repeatedEdit(first: LineEdit, second: LineEdit): RepeatedEdit | undefined {
  if (first.removed !== second.removed || first.inserted !== second.inserted) return undefined;
  const { removed, inserted } = second;
  if (NAME.test(removed) && removed.length > 1 && NAME.test(inserted)) return { kind: 'name', removed, inserted };
  const called = argumentOf(second);
  const isArgument = removed === '' && called !== undefined && called === argumentOf(first);
  return isArgument ? { kind: 'argument', called, inserted } : undefined;
}

/** The function whose last argument was added. */
function argumentOf({ inserted, left, right }: LineEdit): string | undefined {
  if (!/^,\s*[^,\s]/.test(inserted) || !right.trimStart().startsWith(')')) return undefined;
  return calledBefore(left)?.name;
}

/**
 * Returns the next place after a line, and then from the beginning.
 * @param lines of the document.
 */
export function nextPlace(lines: readonly string[], edit: RepeatedEdit, afterLine: number): EditPlace | undefined {
  for (let step = 0; step < lines.length; step += 1) {
    const line = (afterLine + 1 + step) % lines.length;
    const text = lines[line] ?? '';
    if (text.length > MAX_LINE) continue;
    const found = edit.kind === 'name' ? nameIn(text, edit.removed) : argumentIn(text, edit);
    if (found !== undefined) return { line, ...found };
  }
  return undefined;
}

function nameIn(text: string, name: string): Omit<EditPlace, 'line'> | undefined {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    const isWhole = !NAME_PART.test(text[at - 1] ?? '') && !NAME_PART.test(text[end] ?? '');
    if (isWhole) return { start: at, end };
  }
  return undefined;
}

/** The place before the closing bracket of a call that does not have the argument yet. */
function argumentIn(
  text: string,
  { called, inserted }: Extract<RepeatedEdit, { kind: 'argument' }>,
): Omit<EditPlace, 'line'> | undefined {
  for (let at = text.indexOf(`${called}(`); at !== -1; at = text.indexOf(`${called}(`, at + 1)) {
    if (NAME_PART.test(text[at - 1] ?? '')) continue;
    const isDeclaration = /\b(?:function|def|fn|func)\s+$/.test(text.slice(0, at));
    const close = isDeclaration ? undefined : closingOf(text, at + called.length);
    if (close === undefined) continue;
    const written = text.slice(at + called.length + 1, close);
    if (written.trim() !== '' && !written.endsWith(inserted)) return { start: close, end: close };
  }
  return undefined;
}

/** The position of the bracket that closes the one at `open`, if it is on the same line. */
function closingOf(text: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}
