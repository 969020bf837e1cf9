import type { ShownEvent } from '../../../pages/traffic/protocol.ts';

/** The minimum duration of a listed gap, in milliseconds. */
const SHOWN_GAP_MS = 500;
/** The minimum duration of a highlighted gap. */
export const LONG_GAP_MS = 5_000;

/** A line of the timeline: an event, or the gap before the next one. */
export type EventLine =
  | { readonly kind: 'event'; readonly nth: number; readonly event: ShownEvent; readonly sinceMs: number }
  | { readonly kind: 'gap'; readonly nth: number; readonly ms: number };

/** @param startMs start of the first gap: the beginning of the request. */
export function eventLines(events: readonly ShownEvent[], startMs = 0): EventLine[] {
  const lines: EventLine[] = [];
  let before = startMs;
  for (const [nth, event] of events.entries()) {
    const sinceMs = Math.max(0, event.atMs - before);
    if (sinceMs >= SHOWN_GAP_MS) lines.push({ kind: 'gap', nth, ms: sinceMs });
    lines.push({ kind: 'event', nth, event, sinceMs });
    before = event.atMs;
  }
  return lines;
}
