/** Computes which rows of a long list are rendered: the visible ones, and some more on both sides. */
export interface RowWindow {
  readonly first: number;
  /** Exclusive end. */
  readonly end: number;
}

const SPARE_ROWS = 12;

/**
 * @param top top of the view within the list, in pixels.
 * @param spare number of additional rows on either side.
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

/** Returns the rows of a window: first the visible ones, then the others from the nearest on. */
export function nearestFirst({ first, end }: RowWindow, inSight: RowWindow): readonly number[] {
  const rows: number[] = [];
  for (let row = inSight.first; row < inSight.end; row += 1) rows.push(row);
  for (let away = 0; inSight.end + away < end || inSight.first - away > first; away += 1) {
    if (inSight.end + away < end) rows.push(inSight.end + away);
    if (inSight.first - away > first) rows.push(inSight.first - 1 - away);
  }
  return rows;
}

/** Scrolls a list so that a row is visible. Nothing moves if it is visible already. */
export function scrollToRow(list: HTMLElement, index: number, rowHeight: number): void {
  const scrollTop = scrollFor(index, rowHeight, list.scrollTop, list.clientHeight);
  if (scrollTop !== undefined) list.scrollTop = scrollTop;
}

/** Returns the scroll position that makes a row visible; undefined if it is visible already. */
export function scrollFor(index: number, rowHeight: number, top: number, height: number): number | undefined {
  const start = index * rowHeight;
  if (start < top) return start;
  return start + rowHeight > top + height ? start + rowHeight - height : undefined;
}
