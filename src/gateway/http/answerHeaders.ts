/** Converts an upstream's headers for a caller of another format. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FormatName } from '../../formats/conversation.ts';
import { readRetryAfter } from '../../service/retryAfter.ts';

/** Headers with the same meaning in every format. */
const SHARED = ['retry-after', 'retry-after-ms', 'x-should-retry', 'x-model-access-sandbox'];

const MESSAGES_LIMIT = /^anthropic-ratelimit-(requests|tokens|input-tokens|output-tokens)-(limit|remaining|reset)$/;
const COMPLETIONS_LIMIT = /^x-ratelimit-(limit|remaining|reset)-(requests|tokens|input-tokens|output-tokens)$/;

/** @param now milliseconds since the epoch. */
export function translateHeaders(headers: OutgoingHttpHeaders, caller: FormatName, now: number): OutgoingHttpHeaders {
  const translated: OutgoingHttpHeaders = {};
  for (const name of SHARED) if (headers[name] !== undefined) translated[name] = headers[name];
  for (const [name, value] of Object.entries(headers)) {
    const limit = readLimit(name, value, now);
    if (limit !== undefined) Object.assign(translated, writeLimit(limit, caller, now));
  }
  return translated;
}

interface Limit {
  readonly unit: string;
  readonly aspect: string;
  /** A count. For a reset, milliseconds since the epoch. */
  readonly value: number;
}

function readLimit(name: string, value: unknown, now: number): Limit | undefined {
  if (typeof value !== 'string') return undefined;
  const [, messagesUnit, messagesAspect] = MESSAGES_LIMIT.exec(name) ?? [];
  const [, aspect = messagesAspect, unit = messagesUnit] = COMPLETIONS_LIMIT.exec(name) ?? [];
  if (unit === undefined || aspect === undefined) return undefined;
  const number = aspect === 'reset' ? readReset(value, now) : Number(value);
  return Number.isFinite(number) ? { unit, aspect, value: number } : undefined;
}

function writeLimit({ unit, aspect, value }: Limit, caller: FormatName, now: number): OutgoingHttpHeaders {
  if (caller === 'messages') {
    const written = aspect === 'reset' ? new Date(value).toISOString() : String(value);
    return { [`anthropic-ratelimit-${unit}-${aspect}`]: written };
  }
  const written = aspect === 'reset' ? writeDuration(Math.max(0, value - now)) : String(value);
  return { [`x-ratelimit-${aspect}-${unit}`]: written };
}

/** Parses a date, or a duration until the reset: `6s`, `1m30s`, `350ms`, or a number of seconds. */
function readReset(value: string, now: number): number {
  if (/^\d{4}-/.test(value)) return Date.parse(value);
  if (/^[\d.]+$/.test(value)) return now + Number(value) * 1000;
  const [whole, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] =
    /^(?:([\d.]+)h)?(?:([\d.]+)m(?!s))?(?:([\d.]+)s)?(?:([\d.]+)ms)?$/.exec(value) ?? [];
  if (whole === undefined || whole === '') return Number.NaN;
  return now + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(milliseconds);
}

function writeDuration(ms: number): string {
  if (ms < 1000) return `${Math.ceil(ms)}ms`;
  const seconds = Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
}

/** Headers of an answer whose events must reach the client without buffering. */
export const STREAM_HEADERS: OutgoingHttpHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Returns how long the upstream asks to wait, as `readRetryAfter` does. */
export function retryAfterOf(
  { 'retry-after-ms': ms, 'retry-after': wait }: OutgoingHttpHeaders,
  now: number,
): number | undefined {
  const headers = new Headers();
  if (typeof ms === 'string') headers.set('retry-after-ms', ms);
  if (typeof wait === 'string') headers.set('retry-after', wait);
  return readRetryAfter(headers, now);
}

export function encodingOf(headers: OutgoingHttpHeaders): string {
  return String(headers['content-encoding'] ?? '').toLowerCase();
}

export function isEventStream({ 'content-type': type }: OutgoingHttpHeaders): boolean {
  return isEventStreamType(String(type ?? ''));
}

/** Types are case-insensitive, and some servers write them in capitals. */
export function isEventStreamType(contentType: string): boolean {
  return /^\s*text\/event-stream\b/i.test(contentType);
}
