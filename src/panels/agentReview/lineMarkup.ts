/** What is marked in the lines of a difference: the colors of code, and changed words. */
import type { DiffLine } from '../../pages/chat/protocol.ts';

/** Returns HTML that contains only escaped code and spans with classes; undefined for an unknown language. */
type Highlight = (code: string, language: string) => string | undefined;

/** The HTML of lines of a file. Lines before and after a change are highlighted apart, because they are two texts. */
export function coloredLines(
  lines: readonly DiffLine[],
  file: string,
  highlight: Highlight,
): readonly (string | undefined)[] {
  const language = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  const html: (string | undefined)[] = lines.map(() => undefined);
  for (const isRemoved of [true, false]) {
    const places = [...lines.keys()].filter((index) => (lines[index]?.kind === 'removed') === isRemoved);
    const colored = highlight(places.map((index) => lines[index]?.text).join('\n'), language);
    if (colored === undefined) continue;
    for (const [at, line] of closedLines(colored).entries()) html[places[at] ?? lines.length] = line;
  }
  return html.slice(0, lines.length);
}

/** Splits HTML into lines. A span over several lines is closed at the end of each, and opened again on the next. */
function closedLines(html: string): readonly string[] {
  let open: readonly string[] = [];
  return html.split('\n').map((line) => {
    const begun = open.join('');
    for (const tag of line.match(/<[^>]*>/g) ?? []) open = tag === '</span>' ? open.slice(0, -1) : [...open, tag];
    return `${begun}${line}${'</span>'.repeat(open.length)}`;
  });
}

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
