import { formatSum } from '../../display/money.ts';
import { approximately } from '../../display/tokens.ts';
import type { SessionFigures, SessionState } from '../../pages/session/protocol.ts';

/** Formats a time: `14:02`. */
export function clockTime(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Formats the cost of the session, marked if it contains estimates or lacks requests without a known price. */
export function costText({ totals: { cost }, estimated, unpriced }: SessionState): string {
  if (cost === 0 && unpriced > 0) return '–';
  const sum = estimated > 0 && cost > 0 ? approximately(formatSum(cost)) : formatSum(cost);
  return unpriced === 0 ? sum : `${sum} +`;
}

export function inputOf({ uncached, read, written }: SessionFigures): number {
  return uncached + read + written;
}

/** Returns the share of the input that was read from a cache; undefined without input. */
export function hitRate(figures: SessionFigures): number | undefined {
  const input = inputOf(figures);
  return input === 0 ? undefined : figures.read / input;
}
