import { dayOf, formatDay } from './day.ts';

/**
 * Names a session that has no title: `Terminal agent · 21 Nov 14:02`.
 * @param at the start of the session, in milliseconds since the epoch.
 */
export function sessionName(tool: string, at: number): string {
  const start = new Date(at);
  const time = [start.getHours(), start.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  return `${tool} · ${formatDay(dayOf(at))} ${time}`;
}
