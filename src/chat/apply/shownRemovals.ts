/**
 * Checks a merged text, however it was made: a line of the file may vanish only if the answer shows that it does.
 */
import { diffArrays } from 'diff';
import { MAX_COMPARED } from '../review/hunks.ts';
import { isBlank } from '../review/lines.ts';
import { LineIds, similarity } from './similarity.ts';
import { hasMarks, type Item, itemsIn, type Structure } from './structure.ts';

/** A line at least as similar as this to a new one was changed, not removed. */
const CLEAR_SIMILARITY = 0.65;
/** With the same first word, less is enough. */
const MIN_SIMILARITY = 0.5;

/** Returns the lines of the file that the merged text lacks although the answer does not show it, counted from 0. */
export function unshownRemovals(file: Structure, answer: Structure, merged: readonly string[]): readonly number[] {
  const runs = removedRuns(file.lines, merged);
  if (runs.length === 0) return [];
  const shown = new ShownLines(file, answer, merged);
  const counts = lineCounts(merged);
  const before = lineCounts(file.lines);
  const hasVanished = (line: string) =>
    !isBlank(line) && (counts.get(line.trim()) ?? 0) < (before.get(line.trim()) ?? 0);
  return runs.flatMap((run) => {
    const lines = run.lines.filter((line) => hasVanished(file.lines[line] ?? ''));
    return lines.filter(
      (line) => !shown.replaces(line) && !shown.isBetweenNeighbors(run) && !shown.isChanged(line, run),
    );
  });
}

interface RemovedRun {
  readonly lines: readonly number[];
  /** The next lines before and after it that stay. */
  readonly previous: number;
  readonly next: number;
  readonly added: readonly string[];
}

function removedRuns(lines: readonly string[], merged: readonly string[]): readonly RemovedRun[] {
  const parts = diffArrays([...lines], [...merged], { maxEditLength: MAX_COMPARED }) ?? [
    { value: [...lines], removed: true, added: false },
    { value: [...merged], removed: false, added: true },
  ];
  const runs: RemovedRun[] = [];
  let line = 0;
  for (const [index, { value, added, removed }] of parts.entries()) {
    if (removed) {
      const others = [parts[index - 1], parts[index + 1]].filter((part) => part?.added === true);
      runs.push({
        lines: value.map((_, offset) => line + offset),
        previous: line - 1,
        next: line + value.length,
        added: others.flatMap((part) => part?.value ?? []),
      });
    }
    if (!added) line += value.length;
  }
  return runs;
}

function lineCounts(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  return counts;
}

class ShownLines {
  readonly #file: Structure;
  readonly #answer: Structure;
  /** The lines that belong to an item of which the answer shows another version without marks. */
  readonly #replaced = new Set<number>();
  /** The places of the answer's lines by their text. */
  readonly #places = new Map<string, number[]>();
  readonly #ids = new LineIds();
  readonly #blockHeads: ReadonlySet<number>;
  /** Whether the merged text begins and ends with the answer. */
  readonly #isAtBeginning: boolean;
  readonly #isAtEnd: boolean;

  constructor(file: Structure, answer: Structure, merged: readonly string[]) {
    const written = (lines: readonly string[]) => lines.filter((line) => !isBlank(line));
    const isWhole = ![...itemsIn(answer.root)].some(hasMarks);
    this.#isAtBeginning = isWhole && written(merged)[0] === written(answer.lines)[0];
    this.#isAtEnd = isWhole && written(merged).at(-1) === written(answer.lines).at(-1);
    this.#file = file;
    this.#answer = answer;
    for (const [index, line] of answer.lines.entries()) {
      const text = line.trim();
      if (text !== '') this.#places.set(text, [...(this.#places.get(text) ?? []), index]);
    }
    const all = [...itemsIn(answer.root)];
    const complete = all.filter((item) => !hasMarks(item) && item.identity !== '');
    const identities = new Set(complete.map(({ identity }) => identity));
    this.#blockHeads = new Set(file.root.items.filter(({ bodies }) => bodies.length > 0).map(({ head }) => head));
    for (const item of itemsIn(file.root)) if (identities.has(item.identity)) this.#replace(item);
  }

  #replace({ start, end }: Item): void {
    for (let line = start; line < end; line += 1) this.#replaced.add(line);
  }

  replaces(line: number): boolean {
    return this.#replaced.has(line);
  }

  /** Whether the answer has the lines around the removed ones beside each other, without a mark between them. */
  isBetweenNeighbors({ lines, previous, next, added }: RemovedRun): boolean {
    // An answer that stops early lacks whole items at the end.
    const isAtEdge = previous < 0 || next >= this.#file.lines.length;
    if (isAtEdge && lines.some((line) => this.#blockHeads.has(line))) return false;
    const [before, after] = [this.#placesOf(previous, -1), this.#placesOf(next, 1)];
    const isDistinctive = (places: readonly number[]) =>
      places.length === 1 && /\w/.test(this.#answer.lines[places[0] ?? -1] ?? 'edge');
    if (!isDistinctive(before) && !isDistinctive(after)) return false;
    const written = new Set(added.map((line) => line.trim()));
    const isNew = (line: string) => isBlank(line) || written.has(line.trim());
    return before.some((from) => after.some((to) => from < to && this.#answer.lines.slice(from + 1, to).every(isNew)));
  }

  /** Where the answer has the next line that is not blank. Its beginning and end stand for those of the file. */
  #placesOf(line: number, step: 1 | -1): readonly number[] {
    let at = line;
    while (at >= 0 && at < this.#file.lines.length && isBlank(this.#file.lines[at] ?? '')) at += step;
    // What a whole file of an answer lacks at its beginning or end is shown to be missing there.
    if (at < 0) return this.#isAtBeginning ? [-1] : [];
    if (at >= this.#file.lines.length) return this.#isAtEnd ? [this.#answer.lines.length] : [];
    const text = this.#file.lines[at]?.trim();
    return text === undefined ? [] : (this.#places.get(text) ?? []);
  }

  /** Whether a new line at the same place is another version of the line. */
  isChanged(line: number, { added }: RemovedRun): boolean {
    const old = this.#ids.compare(this.#file.lines[line] ?? '');
    if (old.words.length === 0) return true;
    const begin = (text: string) => /[\p{L}\p{N}_$]+/u.exec(text)?.[0];
    const beginning = begin(this.#file.lines[line] ?? '');
    return added.some((other) => {
      const alike = similarity(old, this.#ids.compare(other));
      return alike >= CLEAR_SIMILARITY || (alike >= MIN_SIMILARITY && begin(other) === beginning);
    });
  }
}
