import { formatLatency, formatSeconds } from '../../../display/time.ts';
import type { TrafficRow } from '../../../editor/traffic/protocol.ts';
import { resultOf } from '../words.ts';
import { type TimeScale, waterfallBar } from './scale.ts';

/** A shorter time in the gateway cannot be seen. */
const LEAST_QUEUE = 0.015;

/** How long an exchange was in the gateway, waited and received, on the axis of the list. */
export function Waterfall({ row, scale }: { readonly row: TrafficRow; readonly scale: TimeScale }) {
  const { queue, wait, receive, isLongWait, isCut } = waterfallBar(row, scale);
  const result = resultOf(row);
  const text = result === 'running' ? formatSeconds(row.durationMs) : formatLatency(row.durationMs);
  return (
    <span class={`waterfall ${result} ${isCut ? 'cut' : ''}`}>
      <span class="bars">
        {queue >= LEAST_QUEUE && <span class="queue" style={{ width: `${queue * 100}%` }} />}
        <span class={`wait ${isLongWait ? 'long' : ''}`} style={{ width: `${wait * 100}%` }} />
        {receive > 0 && <span class="receive" style={{ width: `${receive * 100}%` }} />}
        <span class="duration number">{text}</span>
      </span>
    </span>
  );
}
