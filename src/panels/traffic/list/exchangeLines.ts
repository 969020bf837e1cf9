import type { TrafficRow } from '../../../editor/traffic/protocol.ts';
import { nearestFirst, type RowWindow } from '../../shared/virtualRows.ts';
import { ExchangeLine, type LineView } from './exchangeLine.ts';

/** What the list shows. */
export interface ListScene {
  readonly rows: readonly TrafficRow[];
  readonly inSight: RowWindow;
  /** Those in sight and some others. */
  readonly drawn: RowWindow;
  /** So many rows are drawn at most, as `slotCount` has it. */
  readonly slots: number;
  readonly view: LineView;
}

/** Rows out of sight that get another exchange in one frame: a whole page of them would make it a late one. */
const SPARES_A_FRAME = 8;

/**
 * The elements of the rows in sight. A row that comes into sight takes the element of one that has left it, so that nothing
 * is made or moved in the document while the list scrolls; at rest they stand there in the order in which they are read.
 */
export class ExchangeLines {
  readonly #room: HTMLElement;
  /** By the row's index modulo the number of slots. */
  readonly #lines = new Map<number, ExchangeLine>();
  #rows: readonly TrafficRow[] = [];
  #nextFrame = 0;

  constructor(room: HTMLElement) {
    this.#room = room;
  }

  /** While the list moves, rows out of sight are drawn over the following frames. */
  show(scene: ListScene, isMoving: boolean): void {
    cancelAnimationFrame(this.#nextFrame);
    const { rows } = scene;
    const isSettled = !isMoving || rows !== this.#rows;
    if (isSettled) this.#settle(scene);
    else if (!this.#drawSome(scene)) this.#nextFrame = requestAnimationFrame(() => this.show(scene, isMoving));
    this.#rows = rows;
  }

  rowAt(target: EventTarget | null): TrafficRow | undefined {
    return [...this.#lines.values()].find(({ element }) => target instanceof Node && element.contains(target))?.row;
  }

  #settle(scene: ListScene): void {
    const { drawn, slots } = scene;
    const left = new Set(this.#lines.keys());
    for (let index = drawn.first; index < drawn.end; index += 1) {
      left.delete(index % slots);
      this.#draw(index, scene);
    }
    for (const slot of left) this.#remove(slot);
    this.#order(drawn, slots);
  }

  /** @returns whether that was all. */
  #drawSome(scene: ListScene): boolean {
    const { inSight, drawn, slots } = scene;
    let spares = SPARES_A_FRAME;
    for (const index of nearestFirst(drawn, inSight)) {
      const isSpare = index < inSight.first || index >= inSight.end;
      if (isSpare && this.#lines.get(index % slots)?.index !== index) {
        if (spares === 0) return false;
        spares -= 1;
      }
      this.#draw(index, scene);
    }
    return true;
  }

  #draw(index: number, { rows, slots, view }: ListScene): void {
    const row = rows[index];
    if (row !== undefined) this.#lineOf(index % slots).show(row, index, view);
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
