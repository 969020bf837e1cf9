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

/** Where the view must be scrolled to, so that a row is in sight; `undefined` when it is. */
export function scrollFor(index: number, rowHeight: number, top: number, height: number): number | undefined {
  const start = index * rowHeight;
  if (start < top) return start;
  return start + rowHeight > top + height ? start + rowHeight - height : undefined;
}
