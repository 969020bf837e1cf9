/** Decides when the thread stays at its end while an answer grows. All lengths are in CSS pixels. */

const NEAR = 48;

export interface ScrollMetrics {
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollHeight: number;
}

/** Whether the view is close enough to the end to follow it. */
export function isNearEnd(metrics: ScrollMetrics): boolean {
  return distanceFromEnd(metrics) < NEAR;
}

function distanceFromEnd({ scrollTop, clientHeight, scrollHeight }: ScrollMetrics): number {
  return scrollHeight - clientHeight - scrollTop;
}

/**
 * Whether to keep following after a scroll. Only the user ends it, immediately by moving up, because it would be
 * impossible to leave the end if every token scrolled back to it. Where the movement stops, {@link isNearEnd} decides.
 * A scroll that coincides with a change of size is caused by the layout, unless the user is scrolling.
 *
 * @param reading true while the wheel, the keys, a finger, or the scroll bar are in use.
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
