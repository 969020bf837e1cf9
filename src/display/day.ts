/** Days in the machine's time zone, as strings that sort by date, such as `2026-11-21`. */
import { language } from './language.ts';

/** Returns the day of a time in milliseconds since the epoch. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** Returns the start of a day in the machine's time zone, in milliseconds since the epoch. */
export function startOfDay(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date).getTime();
}

/** Returns the day `days` days later, or earlier if `days` is negative. Days of 23 or 25 hours count as one day. */
export function addDays(day: string, days: number): string {
  const date = new Date(startOfDay(day));
  return dayOf(date.setDate(date.getDate() + days));
}

/** Returns the Monday of a day's week. */
export function mondayOf(day: string): string {
  const weekday = new Date(startOfDay(day)).getDay();
  return addDays(day, -((weekday + 6) % 7));
}

/** Returns all days of a period, including the last. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Formats a day, such as `21 Nov`. */
export function formatDay(day: string): string {
  const tag = language();
  if (format?.tag !== tag) format = { tag, days: new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short' }) };
  return format.days.format(startOfDay(day));
}

/** Cached, because creating a formatter takes longer than formatting a hundred days. */
let format: { readonly tag: string; readonly days: Intl.DateTimeFormat } | undefined;

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
