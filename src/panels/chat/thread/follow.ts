/** When the thread stays at its end while an answer grows. All lengths are CSS pixels. */

const NEAR = 48;

export interface ScrollMetrics {
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollHeight: number;
}

/** True while the view is close enough to the end to follow it. */
export function isNearEnd(metrics: ScrollMetrics): boolean {
  return distanceFromEnd(metrics) < NEAR;
}

function distanceFromEnd({ scrollTop, clientHeight, scrollHeight }: ScrollMetrics): number {
  return scrollHeight - clientHeight - scrollTop;
}

/**
 * Whether to go on following after a scroll. Only the reader lets go, by moving up, and at once: to be taken back to the
 * end with every token would make it impossible to leave. Where the movement stops, {@link isNearEnd} decides. A scroll
 * that comes with a change of size is the layout's, unless the reader is known to be at it.
 *
 * @param reading true while the wheel, the keys, a finger or the scroll bar are in use.
 */
export function followsAfterScroll(
  follows: boolean,
  before: ScrollMetrics,
  after: ScrollMetrics,
  reading: boolean,
): boolean {
  const resized = before.clientHeight !== after.clientHeight || before.scrollHeight !== after.scrollHeight;
  if (!reading && resized) return follows;
  if (after.scrollTop < before.scrollTop) return distanceFromEnd(after) < 1;
  return follows || isNearEnd(after);
}
