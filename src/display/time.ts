/** Formats times and speeds. All times are in milliseconds. Units are the same in all languages. */
import * as l10n from '@vscode/l10n';
import { language } from './language.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration: `0.9 s`, `14 s`, `2 min 5 s`, `3 h 12 min`. */
export function formatDuration(ms: number): string {
  if (ms < 50) return '<\u20090.1 s';
  if (ms < 9950) return `${(ms / SECOND).toFixed(1)} s`;
  return formatSeconds(ms);
}

/** Formats the duration of something that is still running, in whole seconds: `14 s`. */
export function formatSeconds(ms: number): string {
  const seconds = Math.round(ms / SECOND);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min${after(seconds % 60, 's')}`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h${after(minutes % 60, 'min')}`;
}

function after(count: number, unit: string): string {
  return count === 0 ? '' : ` ${count} ${unit}`;
}

/** Formats the latency of a request, exact below a second: `80 ms`; from there like a duration. */
export function formatLatency(ms: number): string {
  return ms < 999.5 ? `${Math.round(ms)} ms` : formatDuration(ms);
}

/** Formats an age: `just now`, `20 s ago`, `6 min ago`, `3 h ago`, `2 days ago`. */
export function formatAgo(ms: number): string {
  if (ms < 5 * SECOND) return l10n.t('just now');
  if (ms < MINUTE) return l10n.t('{0} s ago', Math.floor(ms / SECOND));
  if (ms < HOUR) return l10n.t('{0} min ago', Math.floor(ms / MINUTE));
  if (ms < DAY) return l10n.t('{0} h ago', Math.floor(ms / HOUR));
  const days = Math.floor(ms / DAY);
  return days === 1 ? l10n.t('1 day ago') : l10n.t('{0} days ago', days);
}

/**
 * Formats a time for a list: `6 min ago`, `10:42` today and yesterday, `Tue` in the last week, `3 Nov`, `3 Nov 2024`.
 */
export function formatWhen(at: number, now: number): string {
  if (now - at < HOUR) return formatAgo(Math.max(0, now - at));
  const date = new Date(at);
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (at >= midnight - DAY) return formatClock(at);
  if (at >= midnight - 7 * DAY) return date.toLocaleDateString(language(), { weekday: 'short' });
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return date.toLocaleDateString(language(), {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  });
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Formats whole tokens per second: `58 tok/s`. */
export function formatSpeed(tokensPerSecond: number): string {
  return tokensPerSecond > 0 && tokensPerSecond < 1 ? '<\u20091 tok/s' : `${Math.round(tokensPerSecond)} tok/s`;
}

/** Formats the time of day: `14:02`. */
export function formatClock(at: number): string {
  const date = new Date(at);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** Formats the time of day to the second: `14:02:05`. */
export function formatClockSeconds(at: number): string {
  return `${formatClock(at)}:${twoDigits(new Date(at).getSeconds())}`;
}
