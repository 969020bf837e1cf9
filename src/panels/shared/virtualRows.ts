/** Which rows of a long list are drawn: those in sight, and some more on both sides. */
export interface RowWindow {
  readonly first: number;
  /** Behind the last one. */
  readonly end: number;
}

const SPARE_ROWS = 12;

/**
 * @param top of the view within the list, in pixels.
 * @param spare rows on each side.
 */
export function rowWindow(
  count: number,
  rowHeight: number,
  top: number,
  height: number,
  spare = SPARE_ROWS,
): RowWindow {
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + spare);
  return { first: Math.min(first, end), end };
}

/** So many rows are drawn at most. Two rows that are drawn at once never have the same index modulo this number. */
export function slotCount(rowHeight: number, height: number): number {
  return Math.ceil(height / rowHeight) + 1 + 2 * SPARE_ROWS;
}

/** Where the view must be scrolled to, so that a row is in sight; `undefined` when it is. */
export function scrollFor(index: number, rowHeight: number, top: number, height: number): number | undefined {
  const start = index * rowHeight;
  if (start < top) return start;
  return start + rowHeight > top + height ? start + rowHeight - height : undefined;
}
