/** Writes the answers that show a change, in the forms that models use. */
import { diffArrays } from 'diff';
import type { ItemChange, ParsedFile } from './changedItems.ts';
import { hash } from './changes.ts';

export interface WrittenAnswer {
  readonly code: string;
  /** Whether it has a new item of which it does not show where it goes, so that only a question is right. */
  readonly isPlaceOpen: boolean;
}

interface AnswerSource {
  readonly name: string;
  readonly path: string;
  readonly before: ParsedFile;
  readonly after: ParsedFile;
  readonly changes: readonly ItemChange[];
}

type ShownChange = ItemChange & { readonly isNeighbor?: true };

/** Changed functions with more lines are shown in part. */
const MIN_PARTIAL = 12;
const CONTEXT = 2;
/** Fewer lines than these are shown and not replaced by a mark. */
const MIN_MARKED = 3;

const COMMENTS: readonly (readonly [RegExp, string, string])[] = [
  [/\.(?:py|rb|sh|ya?ml)$/, '# ', ''],
  [/\.css$/, '/* ', ' */'],
  [/\.md$/, '<!-- ', ' -->'],
  [/./, '// ', ''],
];

export const FORMS: Readonly<Record<string, (source: AnswerSource) => WrittenAnswer>> = {
  'whole file': ({ after }) => ({ code: after.lines.join('\n'), isPlaceOpen: false }),
  'items without marks': (source) => new UnmarkedAnswer(source).write(),
  'marks for the others': (source) => new MarkedAnswer(source).write(source.changes),
  'with neighbors': (source) => new MarkedAnswer(source).write(withNeighbors(source.changes)),
  'marks within functions': (source) => new MarkedAnswer(source, true).write(withNeighbors(source.changes)),
};

/** The changed items alone, without the types that they are in. */
class UnmarkedAnswer {
  readonly #source: AnswerSource;
  /** Whether methods begin at the margin. */
  readonly #isAtMargin: boolean;
  readonly #parts: { readonly change: ItemChange; readonly lines: readonly string[] }[] = [];
  #isPlaceOpen = false;

  constructor(source: AnswerSource) {
    this.#source = source;
    this.#isAtMargin = hash(`${source.name} margin`) < '8';
  }

  write(): WrittenAnswer {
    this.#collect(this.#source.changes);
    const lines = this.#parts.flatMap((part, index) => [...this.#gap(this.#parts[index - 1], part), ...part.lines]);
    return { code: lines.join('\n'), isPlaceOpen: this.#isPlaceOpen };
  }

  #collect(changes: readonly ItemChange[]): void {
    for (const [index, change] of changes.entries()) {
      if (change.state === 'inner') this.#collect(change.inner);
      if (change.state !== 'new' && change.state !== 'changed') continue;
      const { start, end, isImport } = change.item;
      const lines = this.#source.after.lines.slice(start, end);
      this.#parts.push({ change, lines: this.#isAtMargin ? dedented(lines) : lines });
      if (change.state === 'new' && !isImport && !isBesideShown(changes, index)) this.#isPlaceOpen = true;
    }
  }

  #gap(previous: { readonly change: ItemChange } | undefined, { change }: { readonly change: ItemChange }) {
    if (previous === undefined) return [];
    const [from, to] = [previous.change.item, change.item];
    const between = this.#source.after.lines.slice(from.end, to.start);
    if (between.every((line) => line.trim() === '')) return between;
    return from.isImport && to.isImport ? [] : [''];
  }
}

/** Whether a shown item is beside a new one, perhaps behind other new ones. */
function isBesideShown(changes: readonly ItemChange[], index: number): boolean {
  const isShown = (step: 1 | -1) => {
    let at = index + step;
    while (changes[at]?.state === 'new') at += step;
    return changes[at]?.state === 'changed';
  };
  return isShown(1) || isShown(-1);
}

function dedented(lines: readonly string[]): readonly string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const least = Math.min(...indents);
  return lines.map((line) => line.slice(least));
}

function withNeighbors(changes: readonly ItemChange[]): readonly ShownChange[] {
  return changes.map((change, index) => {
    if (change.state === 'inner') return { ...change, inner: withNeighbors(change.inner) };
    const isBeside = [changes[index - 1], changes[index + 1]].some((other) => other?.state === 'new');
    return change.state === 'same' && isBeside ? { ...change, isNeighbor: true } : change;
  });
}

/** The changed items within what contains them, with a mark for each run of others. */
class MarkedAnswer {
  readonly #source: AnswerSource;
  readonly #isPartial: boolean;
  readonly #mark: (indent: string) => string;
  #isPlaceOpen = false;
  #hasPart = false;

  /** @param isPartial whether marks also stand for unchanged lines of functions. */
  constructor(source: AnswerSource, isPartial = false) {
    this.#source = source;
    this.#isPartial = isPartial;
    const [, begin = '', end = ''] = COMMENTS.find(([pattern]) => pattern.test(source.path)) ?? [];
    const texts = ['... existing code ...', '... rest of the file ...', '...'];
    const text = texts[Number.parseInt(hash(source.name).slice(2, 4), 16) % texts.length];
    this.#mark = (indent) => `${indent}${begin}${text}${end}`;
  }

  write(changes: readonly ShownChange[]): WrittenAnswer {
    const code = this.#lines(changes).join('\n');
    // Otherwise, it is an answer of another form.
    return { code: this.#isPartial && !this.#hasPart ? '' : code, isPlaceOpen: this.#isPlaceOpen };
  }

  #lines(changes: readonly ShownChange[]): readonly string[] {
    const { lines } = this.#source.after;
    const written: string[] = [];
    let isMarked = false;
    let end: number | undefined;
    for (const [index, change] of changes.entries()) {
      const { start } = change.item;
      const isShown = change.state !== 'same' || change.isNeighbor === true;
      if (isShown || !isMarked) {
        const gap = end === undefined ? [] : lines.slice(end, start).filter((line) => line.trim() === '');
        written.push(...gap, ...(isShown ? this.#shown(change) : [this.#mark(indentOf(lines[start]))]));
      }
      if (change.state === 'new' && !change.item.isImport && isBetweenMarks(changes, index)) this.#isPlaceOpen = true;
      isMarked = !isShown;
      end = change.item.end;
    }
    return written;
  }

  #shown(change: ShownChange): readonly string[] {
    const { lines } = this.#source.after;
    const { start, end, items } = change.item;
    if (change.state !== 'inner') return this.#isPartial ? this.#partial(change) : lines.slice(start, end);
    const [from, to] = [items[0]?.start ?? start, items.at(-1)?.end ?? end];
    return [...lines.slice(start, from), ...this.#lines(change.inner), ...lines.slice(to, end)];
  }

  /** The changed lines of an item with those around them, and the first and last line of each block that they are in. */
  #partial({ state, old, item: { start, end } }: ItemChange): readonly string[] {
    const { before, after } = this.#source;
    const lines = after.lines.slice(start, end);
    if (state !== 'changed' || old === undefined || lines.length <= MIN_PARTIAL) return lines;
    const shown = new Set([0, lines.length - 1]);
    let at = 0;
    for (const { value, added, removed } of diffArrays(before.lines.slice(old.start, old.end), lines)) {
      const size = removed ? 0 : value.length;
      if (added || removed)
        for (let line = at - CONTEXT; line < at + size + CONTEXT; line += 1)
          if (line >= 0 && line < lines.length) shown.add(line);
      at += size;
    }
    for (const line of shown) for (const edge of blockAround(lines, line)) shown.add(edge);
    this.#hasPart = true;
    return lines.flatMap((line, index) => {
      if (shown.has(index)) return [line];
      const [from, to] = [runEnd(shown, index, -1), runEnd(shown, index, 1)];
      if (to - from <= MIN_MARKED) return [line];
      return index === from + 1 ? [this.#mark(indentOf(lines.slice(index).find((one) => one.trim() !== '')))] : [];
    });
  }
}

const CLOSER = /^\s*(?:[)\]}<]|end\b|fi\b|done\b|esac\b)/;

/** The first line of the block that a line is in or ends, and the last one if it closes the block. */
function blockAround(lines: readonly string[], line: number): readonly number[] {
  const widthOf = (one = '') => (one.trim() === '' ? Number.POSITIVE_INFINITY : indentOf(one).length);
  const width = widthOf(lines[line]);
  const isEdge = CLOSER.test(lines[line] ?? '') || lines[line]?.trim() === '{';
  const head = lines.slice(0, line).findLastIndex((one) => widthOf(one) < width + (isEdge ? 1 : 0));
  if (head === -1) return [];
  const end = lines.findIndex((one, at) => at > line && widthOf(one) <= widthOf(lines[head]));
  return end !== -1 && CLOSER.test(lines[end] ?? '') ? [head, end] : [head];
}

/** The next line that is shown. */
function runEnd(shown: ReadonlySet<number>, line: number, step: 1 | -1): number {
  let at = line;
  while (!shown.has(at)) at += step;
  return at;
}

/** Whether a new item has only marks beside it, or only other new items. */
function isBetweenMarks(changes: readonly ShownChange[], index: number): boolean {
  const isKnown = (step: 1 | -1) => {
    let at = index + step;
    while (changes[at]?.state === 'new') at += step;
    const other = changes[at];
    return other === undefined || other.state !== 'same' || other.isNeighbor === true;
  };
  return !isKnown(1) && !isKnown(-1);
}

function indentOf(line = ''): string {
  return /^\s*/.exec(line)?.[0] ?? '';
}
