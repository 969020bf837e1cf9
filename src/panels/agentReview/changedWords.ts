/** Finds what differs between a removed line and the line that replaces it. */
import type { DiffLine } from '../../pages/chat/protocol.ts';

/** A half-open range of characters. */
export type CharacterRange = readonly [from: number, to: number];

/** Lines that have less in common are different lines, of which nothing is marked. */
const MIN_SHARE = 0.3;

/** Returns the changed characters of each line, as far as it is another version of a line on the other side. */
export function changedWords(lines: readonly DiffLine[]): ReadonlyMap<number, CharacterRange> {
  const ranges = new Map<number, CharacterRange>();
  for (let at = 0; at < lines.length; ) {
    const removed = runFrom(lines, at, 'removed');
    const added = runFrom(lines, at + removed, 'added');
    if (removed === added)
      for (let index = at; index < at + removed; index += 1) markPair(lines, index, index + removed, ranges);
    at += Math.max(1, removed + added);
  }
  return ranges;
}

function runFrom(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let end = from;
  while (lines[end]?.kind === kind) end += 1;
  return end - from;
}

function markPair(
  lines: readonly DiffLine[],
  removed: number,
  added: number,
  ranges: Map<number, CharacterRange>,
): void {
  const [old, now] = [wordsOf(lines[removed]?.text ?? ''), wordsOf(lines[added]?.text ?? '')];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const written = (words: readonly string[]) => words.join('').trim().length;
  const same = written([...old.slice(0, start), ...old.slice(old.length - end)]);
  if (same < MIN_SHARE * Math.max(written(old), written(now))) return;
  for (const [line, words] of [
    [removed, old],
    [added, now],
  ] as const) {
    const from = words.slice(0, start).join('').length;
    const to = words.slice(0, words.length - end).join('').length;
    if (to > from) ranges.set(line, [from, to]);
  }
}

/** Words, and each sign between them. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_$]+|\s+|./gu) ?? [];
}
