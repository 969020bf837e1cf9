import type { TrafficRow } from '../../../editor/traffic/protocol.ts';
import { ExchangeLine, type LineView } from './exchangeLine.ts';

/** So many rows are made and placed together. */
export const BLOCK_ROWS = 10;

/** Rows of the list that follow each other, as one element. The list's first block and its last one may have gaps. */
export class RowBlock {
  readonly element = document.createElement('div');
  readonly #lines: (ExchangeLine | undefined)[] = Array.from({ length: BLOCK_ROWS });

  constructor() {
    this.element.className = 'row-block';
    this.element.setAttribute('role', 'presentation');
  }

  /** @param first index of the row in its first place; less than 0 where the list begins within the block. */
  place(first: number, { rowHeight }: LineView): void {
    const top = `${Math.max(0, first) * rowHeight}px`;
    if (this.element.style.top !== top) this.element.style.top = top;
  }

  /** @returns whether a row was drawn: one that has no new exchange and no new look is left alone. */
  show(first: number, rows: readonly TrafficRow[], view: LineView): boolean {
    this.place(first, view);
    let isDrawn = false;
    // From the end on, so that a new row finds the one it comes before.
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
