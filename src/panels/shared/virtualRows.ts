/** Which rows of a long list are drawn: those in sight, and some more on both sides. */
export interface RowWindow {
  readonly first: number;
  /** Behind the last one. */
  readonly end: number;
}

const SPARE_ROWS = 12;

/** @param top of the view within the list, in pixels. */
export function rowWindow(count: number, rowHeight: number, top: number, height: number): RowWindow {
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE_ROWS);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + SPARE_ROWS);
  return { first: Math.min(first, end), end };
}

/** So many rows are drawn at most. Two rows that are drawn at once never have the same index modulo this number. */
export function slotCount(rowHeight: number, height: number): number {
  return Math.ceil(height / rowHeight) + 1 + 2 * SPARE_ROWS;
}

/**
 * The indices of the drawn rows in the order of their slots: a row that comes into sight takes the place of one that has
 * left it, so that no element is made or moved while the list scrolls.
 */
export function indicesBySlot({ first, end }: RowWindow, slots: number): number[] {
  return Array.from({ length: end - first }, (_, nth) => first + nth).sort((a, b) => (a % slots) - (b % slots));
}

/** Where the view must be scrolled to, so that a row is in sight; `undefined` when it is. */
export function scrollFor(index: number, rowHeight: number, top: number, height: number): number | undefined {
  const start = index * rowHeight;
  if (start < top) return start;
  return start + rowHeight > top + height ? start + rowHeight - height : undefined;
}
