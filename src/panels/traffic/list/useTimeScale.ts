import { useMemo, useRef } from 'preact/hooks';
import type { TrafficRow } from '../../../editor/traffic/protocol.ts';
import { type TimeScale, timeScale } from './scale.ts';

/** Returns the axis of the list. An unchanged axis is the same object, so that no row is updated for it. */
export function useTimeScale(rows: readonly TrafficRow[]): TimeScale {
  const last = useRef<TimeScale>(undefined);
  return useMemo(() => {
    const next = timeScale(rows);
    const isSame = last.current?.maxMs === next.maxMs && last.current.ticks.length === next.ticks.length;
    last.current = isSame ? last.current : next;
    return last.current ?? next;
  }, [rows]);
}
