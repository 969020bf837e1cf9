/** Which rows of a long list are drawn: those in sight, and some more on both sides. */
export interface RowWindow {
  readonly first: number;
  /** Behind the last one. */
  readonly end: number;
}

/** Where a list goes. It jumps when it moves by more than its height: nothing that was in sight still is. */
export type Movement = 'rest' | 'up' | 'down' | 'jump';

const SPARE_ROWS = 12;
/** On the side that a moving list leaves. */
const LEFT_ROWS = 2;

/** Rows out of sight, before those in sight and after them. */
const SPARES: Readonly<Record<Movement, readonly [before: number, after: number]>> = {
  rest: [SPARE_ROWS, SPARE_ROWS],
  up: [2 * SPARE_ROWS - LEFT_ROWS, LEFT_ROWS],
  down: [LEFT_ROWS, 2 * SPARE_ROWS - LEFT_ROWS],
  // Of no use while a scrollbar is dragged: the next frame has others.
  jump: [0, 0],
};

/** @param top of the view within the list, in pixels. */
export function rowWindow(
  count: number,
  rowHeight: number,
  top: number,
  height: number,
  movement: Movement = 'rest',
): RowWindow {
  const [before, after] = SPARES[movement];
  const first = Math.max(0, Math.floor(top / rowHeight) - before);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + after);
  return { first: Math.min(first, end), end };
}

/** The rows of a window: those in sight, then the others from the nearest on. */
export function nearestFirst({ first, end }: RowWindow, inSight: RowWindow): readonly number[] {
  const rows: number[] = [];
  for (let row = inSight.first; row < inSight.end; row += 1) rows.push(row);
  for (let away = 0; inSight.end + away < end || inSight.first - away > first; away += 1) {
    if (inSight.end + away < end) rows.push(inSight.end + away);
    if (inSight.first - away > first) rows.push(inSight.first - 1 - away);
  }
  return rows;
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
