import type { TrafficRow } from '../../../editor/traffic/protocol.ts';
import { ExchangeLine, type LineView } from './exchangeLine.ts';

/** Number of rows that are created and positioned together. */
export const BLOCK_ROWS = 10;

/** Consecutive rows of the list, as one element. The first and the last block of the list may have gaps. */
export class RowBlock {
  readonly element = document.createElement('div');
  readonly #lines: (ExchangeLine | undefined)[] = Array.from({ length: BLOCK_ROWS });

  constructor() {
    this.element.className = 'row-block';
    this.element.setAttribute('role', 'presentation');
  }

  /** @param first index of the first row in the block; negative if the list begins within the block. */
  place(first: number, { rowHeight }: LineView): void {
    const top = `${Math.max(0, first) * rowHeight}px`;
    if (this.element.style.top !== top) this.element.style.top = top;
  }

  /** @returns whether a row was updated: a row with the same exchange and the same appearance is left unchanged. */
  show(first: number, rows: readonly TrafficRow[], view: LineView): boolean {
    this.place(first, view);
    let isDrawn = false;
    // In reverse order, so that a new row finds the element to be inserted before.
    for (let place = BLOCK_ROWS - 1; place >= 0; place -= 1) {
      const row = rows[first + place];
      if (row === undefined) this.#clear(place);
      else if (this.#lineAt(place).show(row, first + place, view)) isDrawn = true;
    }
    return isDrawn;
  }

  #lineAt(place: number): ExchangeLine {
    const known = this.#lines[place];
    if (known !== undefined) return known;
    const line = new ExchangeLine();
    this.element.insertBefore(line.element, this.#lines[place + 1]?.element ?? null);
    this.#lines[place] = line;
    return line;
  }

  #clear(place: number): void {
    this.#lines[place]?.element.remove();
    this.#lines[place] = undefined;
  }
}
