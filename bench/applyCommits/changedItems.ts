/** Finds which items a change changes, adds, and removes. */
import type { ParsedItem } from './parsedItems.ts';

export interface ParsedFile {
  readonly lines: readonly string[];
  readonly items: readonly ParsedItem[];
}

/** An item of the new version. */
export interface ItemChange {
  readonly item: ParsedItem;
  /** `inner`: only items within it were changed. */
  readonly state: 'same' | 'changed' | 'new' | 'inner';
  /** What it was. */
  readonly old: ParsedItem | undefined;
  readonly inner: readonly ItemChange[];
}

/** With this share of its lines, an item with another name at the same place is the same one. */
const MIN_RENAMED = 0.5;

export class ItemComparison {
  readonly #before: ParsedFile;
  readonly #after: ParsedFile;
  readonly changes: readonly ItemChange[];
  readonly removed: ParsedItem[] = [];
  /** Whether items were moved, which only a whole file shows. */
  hasMoved = false;

  constructor(before: ParsedFile, after: ParsedFile) {
    this.#before = before;
    this.#after = after;
    this.changes = this.#compare(before.items, after.items);
  }

  #compare(before: readonly ParsedItem[], after: readonly ParsedItem[]): readonly ItemChange[] {
    const olds = this.#matches(before, after);
    const used = new Set(olds);
    this.removed.push(...before.filter((item) => !used.has(item)));
    return after.map((item, index) => this.#change(olds[index], item));
  }

  #change(old: ParsedItem | undefined, item: ParsedItem): ItemChange {
    const plain = { item, old, inner: [] };
    if (old === undefined) return { ...plain, state: 'new' };
    if (textOf(this.#before, old) === textOf(this.#after, item)) return { ...plain, state: 'same' };
    const isInner = old.items.length > 0 && item.items.length > 0 && this.#hasSameEdges(old, item);
    return isInner
      ? { ...plain, state: 'inner', inner: this.#compare(old.items, item.items) }
      : { ...plain, state: 'changed' };
  }

  /** Whether what is before and after the items within is the same. */
  #hasSameEdges(old: ParsedItem, item: ParsedItem): boolean {
    const edges = ({ lines }: ParsedFile, { start, end, items }: ParsedItem) =>
      [...lines.slice(start, items[0]?.start), ...lines.slice(items.at(-1)?.end, end)].filter((line) => line.trim());
    return edges(this.#before, old).join('\n') === edges(this.#after, item).join('\n');
  }

  #matches(before: readonly ParsedItem[], after: readonly ParsedItem[]): readonly (ParsedItem | undefined)[] {
    const free = new Set(before);
    const take = (fits: (one: ParsedItem) => boolean) => {
      const found = [...free].find(fits);
      if (found !== undefined) free.delete(found);
      return found;
    };
    const same = after.map((item) => {
      const text = textOf(this.#after, item);
      return take((one) => one.key === item.key && textOf(this.#before, one) === text);
    });
    const named = after.map((item, index) => same[index] ?? take(({ key }) => key === item.key));
    const places = named.flatMap((one) => (one === undefined ? [] : [before.indexOf(one)]));
    if (places.some((place, index) => place < (places[index - 1] ?? -1))) this.hasMoved = true;
    return named.map((one, index) => {
      if (one !== undefined || after[index]?.isImport === true) return one;
      const from = before.indexOf(named.slice(0, index).findLast((other) => other !== undefined) as ParsedItem);
      const next = named.slice(index + 1).find((other) => other !== undefined);
      const to = next === undefined ? before.length : before.indexOf(next);
      const item = after[index] as ParsedItem;
      return take((other) => {
        const at = before.indexOf(other);
        return at > from && at < to && this.#isAlike(other, item);
      });
    });
  }

  #isAlike(old: ParsedItem, item: ParsedItem): boolean {
    const words = (text: string) => text.match(/\w+/g) ?? [];
    const [before, after] = [words(textOf(this.#before, old)), words(textOf(this.#after, item))];
    const known = new Set(after);
    const shared = before.filter((word) => known.has(word)).length;
    return shared > Math.max(before.length, after.length) * MIN_RENAMED;
  }
}

function textOf({ lines }: ParsedFile, { start, end }: ParsedItem): string {
  return lines.slice(start, end).join('\n');
}
