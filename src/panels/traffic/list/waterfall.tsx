import { formatLatency, formatSeconds } from '../../../display/time.ts';
import type { TrafficRow } from '../../../editor/traffic/protocol.ts';
import { resultOf } from '../words.ts';
import { type TimeScale, waterfallBar } from './scale.ts';

/** How long an exchange waited and received, on the axis of the list. */
export function Waterfall({ row, scale }: { readonly row: TrafficRow; readonly scale: TimeScale }) {
  const { wait, receive, isLongWait, isCut } = waterfallBar(row, scale);
  const result = resultOf(row);
  const text = result === 'running' ? formatSeconds(row.durationMs) : formatLatency(row.durationMs);
  return (
    <span class={`waterfall ${result} ${isCut ? 'cut' : ''}`}>
      <span class="bars" aria-hidden="true">
        <span class={`wait ${isLongWait ? 'long' : ''}`} style={{ width: `${wait * 100}%` }} />
        {receive > 0 && <span class="receive" style={{ width: `${receive * 100}%` }} />}
        <span class="duration number">{text}</span>
      </span>
      <span class="hidden-text">{text}</span>
    </span>
  );
}
