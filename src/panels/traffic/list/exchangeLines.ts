import type { TrafficRow } from '../../../editor/traffic/protocol.ts';
import type { RowWindow } from '../../shared/virtualRows.ts';
import { ExchangeLine, type LineView } from './exchangeLine.ts';

/**
 * The elements of the rows in sight. A row that comes into sight takes the element of one that has left it, so that nothing
 * is made or moved in the document while the list scrolls; at rest they stand there in the order in which they are read.
 */
export class ExchangeLines {
  readonly #room: HTMLElement;
  /** By the row's index modulo the number of slots. */
  readonly #lines = new Map<number, ExchangeLine>();
  #rows: readonly TrafficRow[] = [];

  constructor(room: HTMLElement) {
    this.#room = room;
  }

  /** @param slots so many rows are drawn at most, as `slotCount` has it. */
  show(rows: readonly TrafficRow[], drawn: RowWindow, slots: number, view: LineView, isMoving: boolean): void {
    const isSettled = !isMoving || rows !== this.#rows;
    const left = new Set(isSettled ? this.#lines.keys() : []);
    for (let index = drawn.first; index < drawn.end; index += 1) {
      const row = rows[index];
      if (row === undefined) continue;
      left.delete(index % slots);
      this.#lineOf(index % slots).show(row, index, view);
    }
    for (const slot of left) this.#remove(slot);
    if (isSettled) this.#order(drawn, slots);
    this.#rows = rows;
  }

  rowAt(target: EventTarget | null): TrafficRow | undefined {
    return [...this.#lines.values()].find(({ element }) => target instanceof Node && element.contains(target))?.row;
  }

  #lineOf(slot: number): ExchangeLine {
    const known = this.#lines.get(slot);
    if (known !== undefined) return known;
    const line = new ExchangeLine();
    this.#lines.set(slot, line);
    this.#room.append(line.element);
    return line;
  }

  #remove(slot: number): void {
    this.#lines.get(slot)?.element.remove();
    this.#lines.delete(slot);
  }

  /** From the middle on, where the fewest have to be moved after the list was scrolled. */
  #order({ first, end }: RowWindow, slots: number): void {
    const middle = Math.floor((first + end) / 2);
    const elementOf = (index: number) => this.#lines.get(index % slots)?.element;
    for (let index = middle + 1; index < end; index += 1) {
      const [before, element] = [elementOf(index - 1), elementOf(index)];
      if (element !== undefined && before?.nextSibling !== element) before?.after(element);
    }
    for (let index = middle - 1; index >= first; index -= 1) {
      const [after, element] = [elementOf(index + 1), elementOf(index)];
      if (element !== undefined && after?.previousSibling !== element) after?.before(element);
    }
  }
}
