/** Reads the delay before a retry that the service requests. */
import { parseJson } from '../formats/json.ts';

/**
 * Reads `retry-after-ms` (milliseconds), otherwise `retry-after` (seconds or an HTTP date).
 * @param now milliseconds since the epoch, with which a date is compared.
 * @returns milliseconds, not negative; undefined if the header is missing or invalid.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = readNumber(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return Math.max(0, milliseconds);
  const text = headers.get('retry-after');
  const seconds = readNumber(text);
  if (seconds !== undefined) return Math.max(0, seconds * 1000);
  const date = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Members of error bodies with a delay, with the unit of a plain number in milliseconds. */
const MEMBERS: Readonly<Record<string, number>> = {
  retryDelay: 1000,
  retry_delay: 1000,
  retry_after: 1000,
  retryAfter: 1000,
  'retry-after': 1000,
  retry_after_seconds: 1000,
  retryAfterSeconds: 1000,
  retry_after_ms: 1,
  retryAfterMs: 1,
};
const MAX_DEPTH = 6;
/** For example, "Please try again in 1m30.5s", "retry after 20 seconds", "try again in 350ms", or "resets in ~2 hours". */
const SENTENCE =
  /\b(?:try again|retry|available|resets?)(?:\s+\w+)?\s+(?:in|after)\s+(?:~|about\s+)?\s*(?:(\d+)\s*h(?:(?:ou)?rs?)?(?![a-z])\s*)?(?:(\d+)\s*m(?:in(?:ute)?s?)?(?![a-z])\s*)?(?:(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?)\b)?/i;
/** The same in Chinese, such as "请在 30 秒后重试". */
const CHINESE = /(\d+(?:\.\d+)?)\s*(毫秒|秒|分钟|小时)\s*(?:之?后|以后)/;
const CHINESE_UNITS: Readonly<Record<string, number>> = { 毫秒: 1, 秒: 1000, 分钟: 60_000, 小时: 3_600_000 };
/** A point in time, in UTC unless it says otherwise. */
const RESET_AT = /\bresets?\s+(?:at|on)\s+(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?(?:\.\d+)?)\s*(Z|[+-]\d\d:?\d\d)?/i;

/**
 * Reads the delay from the body of an error: from a member, such as `retryDelay: "37s"`, or from its sentence.
 * @returns milliseconds; undefined if there is none.
 */
export function readRetryAfterInBody(body: string, now = Date.now()): number | undefined {
  return inMembers(parseJson(body), 0) ?? inSentence(body) ?? untilReset(body, now);
}

function untilReset(text: string, now: number): number | undefined {
  const [, day, time, zone = 'Z'] = RESET_AT.exec(text) ?? [];
  const wait = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`) - now;
  return wait >= 0 ? wait : undefined;
}

function inMembers(value: unknown, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const unit = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
    const found = unit === undefined ? inMembers(member, depth + 1) : duration(member, unit);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param unit of a plain number, in milliseconds. */
function duration(value: unknown, unit: number): number | undefined {
  const [, number, named] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s)?\s*$/.exec(String(value)) ?? [];
  return number === undefined ? undefined : Number(number) * (named === undefined ? unit : (UNITS[named] ?? unit));
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000 };

function inSentence(text: string): number | undefined {
  const [, hours, minutes, number, unit = ''] = SENTENCE.exec(text) ?? [];
  if (hours === undefined && minutes === undefined && number === undefined) {
    const [, count, named = ''] = CHINESE.exec(text) ?? [];
    return count === undefined ? undefined : Number(count) * (CHINESE_UNITS[named] ?? 1000);
  }
  const whole = Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000;
  return whole + Number(number ?? 0) * (unit.startsWith('m') ? 1 : 1000);
}

function readNumber(text: string | null): number | undefined {
  if (text === null || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}
