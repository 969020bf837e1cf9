/**
 * Checks a merged text, however it was made: a line of the file may vanish only if the answer shows that it does.
 */
import { diffArrays } from 'diff';
import { MAX_COMPARED } from '../review/hunks.ts';
import { isBlank } from '../review/lines.ts';
import { importedNames } from './importNames.ts';
import { followsMark, isImport, itemsIn } from './items.ts';
import { bodyText, wordsOf } from './itemText.ts';
import { LineIds, similarity } from './similarity.ts';
import type { Item, Structure } from './structure.ts';

/** A line at least as similar as this to a new one was changed, not removed. */
const CLEAR_SIMILARITY = 0.65;
/** An answer that lacks fewer lines at its end removes them. */
const MIN_MISSING = 3;
/** With the same first word, less is enough. */
const MIN_SIMILARITY = 0.5;

/** Returns the lines of the file that the merged text lacks although the answer does not show it, counted from 0. */
export function unshownRemovals(
  file: Structure,
  answer: Structure,
  merged: readonly string[],
  runs = removedRuns(file.lines, merged),
): readonly number[] {
  if (runs.length === 0) return [];
  const removed = new Set(runs.flatMap(({ lines }) => lines.map((line) => file.lines[line]?.trim() ?? '')));
  const [counts, before] = [lineCounts(merged, removed), lineCounts(file.lines, removed)];
  const hasVanished = (line: string) =>
    !isBlank(line) && (counts.get(line.trim()) ?? 0) < (before.get(line.trim()) ?? 0);
  const vanished = runs.map((run) => ({ run, lines: run.lines.filter((line) => hasVanished(file.lines[line] ?? '')) }));
  if (vanished.every(({ lines }) => lines.length === 0)) return [];
  const shown = new ShownLines(
    file,
    answer,
    merged,
    vanished.flatMap(({ lines }) => lines),
  );
  return vanished.flatMap(({ run, lines }) => {
    const isMissing = isAfterEnd(file, answer, run);
    const isShown = (line: number) =>
      shown.replaces(line) || shown.isBetweenNeighbors(run) || shown.isChanged(line, run);
    return lines.filter((line) => (isMissing ? /\w/.test(file.lines[line] ?? '') : !isShown(line)));
  });
}

/** Whether an answer that has the whole file otherwise stops before its end. */
export function endsEarly(file: Structure, answer: Structure): boolean {
  const run = removedRuns(file.lines, answer.lines).at(-1);
  return run !== undefined && file.lines.slice(run.next).every(isBlank) && isAfterEnd(file, answer, run);
}

/**
 * Whether the removed lines follow the answer's last one in the file. Where the end of a block has no sign, they are likelier
 * missing because the answer ends early.
 */
function isAfterEnd({ lines: own, root }: Structure, answer: Structure, { lines, next, previous, added }: RemovedRun) {
  const missing = lines.filter((line) => !isBlank(own[line] ?? ''));
  const isAtEnd = own.slice(next).every(isBlank);
  const isBlock = ({ head, bodies, identity }: Item) =>
    missing.includes(head) && bodies.length > 0 && /^(?:name|type|section) /.test(identity);
  const isItem = isAtEnd && [...itemsIn(root, missing)].some(isBlock);
  if (missing.length < MIN_MISSING && !isItem) return false;
  const last = answer.lines.findLast((line) => !isBlank(line))?.trim() ?? '';
  const written = added.filter((line) => !isBlank(line)).map((line) => line.trim());
  if (written.length > 0) {
    // It may end within a line, or with a changed one.
    const isPart = own[missing[0] ?? -1]?.trim().startsWith(last) === true;
    const isShorter = isAtEnd && (isItem || written.length * 2 + MIN_MISSING <= missing.length);
    return written.at(-1) === last && (isShorter || (isPart && written.length === 1));
  }
  const before = own.slice(0, previous + 1).findLast((line) => !isBlank(line));
  const isOnly = () => answer.lines.filter((line) => line.trim() === last).length === 1;
  return before?.trim() === last && (isAtEnd || isOnly());
}

export interface RemovedRun {
  readonly lines: readonly number[];
  /** The next lines before and after it that stay. */
  readonly previous: number;
  readonly next: number;
  readonly added: readonly string[];
}

export function removedRuns(lines: readonly string[], merged: readonly string[]): readonly RemovedRun[] {
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

/** How often lines have these texts. */
function lineCounts(lines: readonly string[], texts: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const text = line.trim();
    if (texts.has(text)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

class ShownLines {
  readonly #file: Structure;
  readonly #answer: Structure;
  /** The lines that belong to an item of which the answer shows another version without marks. */
  readonly #replaced: Uint8Array;
  #placesByText: ReadonlyMap<string, readonly number[]> | undefined;
  /** The names that the answer imports, and all words of the merged text. */
  #imported: ReadonlySet<string> | undefined;
  #words: ReadonlySet<string> | undefined;
  readonly #merged: readonly string[];
  readonly #ids = new LineIds();
  /** The heads of blocks at the outer level. */
  readonly #blockHeads: ReadonlySet<number>;
  /** Whether the merged text begins and ends with the answer. */
  readonly #isAtBeginning: boolean;
  readonly #isAtEnd: boolean;

  /** @param lines the removed ones of the file, about which it is asked. */
  constructor(file: Structure, answer: Structure, merged: readonly string[], lines: readonly number[]) {
    const all = [...itemsIn(answer.root)];
    const isWhole = !all.some(({ isMark, shortHead }) => isMark || shortHead !== undefined);
    const isWritten = (line: string) => !isBlank(line);
    this.#isAtBeginning = isWhole && merged.find(isWritten) === answer.lines.find(isWritten);
    this.#isAtEnd = isWhole && merged.findLast(isWritten) === answer.lines.findLast(isWritten);
    this.#merged = merged;
    this.#file = file;
    this.#answer = answer;
    this.#replaced = new Uint8Array(file.lines.length);
    const complete = all.filter((item) => !item.hasMarks && item.identity !== '');
    const identities = new Set(complete.map(({ identity }) => identity));
    const hasLead = (item: Item) => item.identity !== '' && item.head > item.start && !followsMark(item);
    const led = new Set(all.filter(hasLead).map(({ identity }) => identity));
    this.#blockHeads = new Set(file.root.items.filter(({ bodies }) => bodies.length > 0).map(({ head }) => head));
    const known = new Set([...itemsIn(file.root)].map(({ identity }) => identity));
    const unknown = complete.filter(({ identity, bodies }) => bodies.length > 0 && !known.has(identity));
    const renamed = new Set(unknown.map((item) => bodyText(answer, item)).filter((body) => body !== ''));
    const isRenamed = (item: Item) => renamed.size > 0 && item.bodies.length > 0 && renamed.has(bodyText(file, item));
    for (const item of itemsIn(file.root, lines)) {
      if (identities.has(item.identity) || isRenamed(item)) this.#replace(item);
      else if (led.has(item.identity)) this.#replaced.fill(1, item.start, item.head);
    }
  }

  #replace({ start, end }: Item): void {
    this.#replaced.fill(1, start, end);
  }

  replaces(line: number): boolean {
    return this.#replaced[line] === 1;
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

  /** Where the answer has a line with this text. */
  #places(text: string): readonly number[] {
    this.#placesByText ??= Map.groupBy(this.#answer.lines.keys(), (line) => this.#answer.lines[line]?.trim() ?? '');
    return this.#placesByText.get(text) ?? [];
  }

  /** Where the answer has the next line that is not blank. Its beginning and end stand for those of the file. */
  #placesOf(line: number, step: 1 | -1): readonly number[] {
    let at = line;
    while (at >= 0 && at < this.#file.lines.length && isBlank(this.#file.lines[at] ?? '')) at += step;
    // What a whole file of an answer lacks at its beginning or end is shown to be missing there.
    if (at < 0) return this.#isAtBeginning ? [-1] : [];
    if (at >= this.#file.lines.length) return this.#isAtEnd ? [this.#answer.lines.length] : [];
    const text = this.#file.lines[at]?.trim();
    return text === undefined ? [] : this.#places(text);
  }

  /** Whether an import may go: another one makes its name known, or nothing uses it any more. */
  #isImportedOrUnused(name: string): boolean {
    this.#imported ??= new Set(
      this.#answer.root.items
        .filter(isImport)
        .flatMap(({ head, end }) => importedNames(this.#answer.lines.slice(head, end))),
    );
    this.#words ??= wordsOf(this.#merged);
    return this.#imported.has(name) || !this.#words.has(name);
  }

  /** Whether a new line at the same place is another version of the line. */
  isChanged(line: number, { added }: RemovedRun): boolean {
    const old = this.#ids.compare(this.#file.lines[line] ?? '');
    if (old.words.length === 0) return true;
    const names = importedNames([this.#file.lines[line] ?? '']);
    if (names.length > 0 && names.every((name) => this.#isImportedOrUnused(name))) return true;
    const begin = (text: string) => /[\p{L}\p{N}_$]+/u.exec(text)?.[0];
    const beginning = begin(this.#file.lines[line] ?? '');
    return added.some((other) => {
      const alike = similarity(old, this.#ids.compare(other));
      return alike >= CLEAR_SIMILARITY || (alike >= MIN_SIMILARITY && begin(other) === beginning);
    });
  }
}
