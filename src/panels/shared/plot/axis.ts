import { numberFormat } from '../../../display/numberFormat.ts';
import { formatDuration } from '../../../display/time.ts';

/** Computes the ticks of an axis: round numbers, at most four divisions. */
const ROUND = [1, 2, 2.5, 5, 10];
const MAX_DIVISIONS = 4;

export interface Axis {
  /** The start of the axis if it is below zero, at most the smallest value. */
  readonly min?: number;
  /** The end of the axis, at least the largest value. */
  readonly max: number;
  readonly step: number;
  /** Values from `min` to `max`. */
  readonly ticks: readonly number[];
}

/** @param largest the largest value; if it is not positive, the axis has one division. */
export function axisFor(largest: number): Axis {
  if (largest <= 0) return { max: 1, step: 1, ticks: [0, 1] };
  const minStep = largest / MAX_DIVISIONS;
  const unit = 10 ** Math.floor(Math.log10(minStep));
  const step = unit * (ROUND.find((round) => round * unit >= minStep * (1 - 1e-9)) ?? 10);
  const divisions = Math.max(1, Math.ceil(largest / step - 1e-9));
  const ticks = Array.from({ length: divisions + 1 }, (_, index) => index * step);
  return { max: divisions * step, step, ticks };
}

/** Returns an axis with values on both sides of zero. Both sides have the same step. */
export function axisAround(smallest: number, largest: number): Axis {
  const { step } = axisFor(largest - Math.min(0, smallest));
  const [below, above] = [Math.ceil(-Math.min(0, smallest) / step - 1e-9), Math.ceil(largest / step - 1e-9)];
  const ticks = Array.from({ length: below + above + 1 }, (_, index) => (index - below) * step);
  return { min: -below * step, max: above * step, step, ticks };
}

/** Returns the indexes of the labels to show, so that each has enough space. */
export function labelPlaces(count: number, room: number, labelWidth: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(room / labelWidth))));
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
}

/** Returns a formatter for amounts on an axis, with as many decimals as the step needs: `$40`, `$0.50`, `$0.00025`. */
export function axisMoney(step: number): (usd: number) => string {
  const decimals = step >= 1 && Number.isInteger(step) ? 0 : Math.max(2, decimalsOf(step));
  const format = numberFormat({ minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return (usd) => `$${format(usd)}`;
}

/**
 * Returns a formatter for times in milliseconds, all in one unit: `0.5 s`, or `20 ms` if the step is not a multiple of
 * 0.1 s.
 */
export function axisTime(step: number): (ms: number) => string {
  if (step % 100 !== 0) return (ms) => `${Math.round(ms)} ms`;
  return (ms) => (ms === 0 ? '0 s' : formatDuration(ms));
}

/** Returns the decimals of a step, which has at most two significant figures. */
function decimalsOf(step: number): number {
  const [figures = '', exponent = '0'] = step.toExponential(1).split('e');
  return (figures.endsWith('.0') ? 0 : 1) - Number(exponent);
}
