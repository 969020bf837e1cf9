import type { TrafficRow } from '../../../pages/traffic/protocol.ts';
import { failedUntil } from '../detail/attemptLanes.ts';

/** A longer wait for the first byte is highlighted. In milliseconds. */
const LONG_WAIT_MS = 5_000;

const STEPS = [1, 2, 5];
/** Number of rows that determine the axis, and the share of them that fits on it. The longest few bars are cut off. */
const LOOKED_AT = 500;
const SHARE_SHOWN = 0.95;
const MIN_MS = 1_000;

/** The time axis that all rows of the list share, in milliseconds. */
export interface TimeScale {
  readonly maxMs: number;
  readonly ticks: readonly number[];
}

export function timeScale(rows: readonly TrafficRow[]): TimeScale {
  const durations = rows
    .slice(0, LOOKED_AT)
    .map(({ durationMs }) => durationMs)
    .sort((a, b) => a - b);
  const longest = Math.max(MIN_MS, durations[Math.ceil(durations.length * SHARE_SHOWN) - 1] ?? 0);
  const step = niceStep(longest / 4);
  const count = Math.ceil(longest / step);
  return { maxMs: step * count, ticks: Array.from({ length: count }, (_, nth) => nth * step) };
}

/** Returns 1, 2, or 5 times a power of ten. */
function niceStep(minStep: number): number {
  const power = 10 ** Math.floor(Math.log10(minStep));
  const factor = STEPS.find((each) => each * power >= minStep);
  return factor === undefined ? 10 * power : factor * power;
}

/** A bar of the waterfall, in fractions of the axis. */
export interface WaterfallBar {
  /** Time in the gateway before an upstream was asked. */
  readonly queue: number;
  /** Time of attempts that failed before the one that answered. */
  readonly failed: number;
  readonly wait: number;
  readonly receive: number;
  readonly isLongWait: boolean;
  /** True if the bar is longer than the axis. */
  readonly isCut: boolean;
}

export function waterfallBar(row: TrafficRow, { maxMs }: TimeScale): WaterfallBar {
  const { queueMs = 0, firstByteMs, durationMs } = row;
  const waited = Math.min(firstByteMs ?? durationMs, durationMs);
  const queued = Math.min(queueMs, waited);
  const left = Math.min(waited, Math.max(queued, failedUntil(row) ?? 0));
  const queue = Math.min(1, queued / maxMs);
  const failed = Math.min(1 - queue, (left - queued) / maxMs);
  const wait = Math.min(1 - queue - failed, (waited - left) / maxMs);
  const receive = Math.min(1 - queue - failed - wait, (durationMs - waited) / maxMs);
  const isLongWait = waited - (left > queued ? left : 0) > LONG_WAIT_MS;
  return { queue, failed, wait, receive, isLongWait, isCut: durationMs > maxMs };
}
