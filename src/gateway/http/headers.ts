/**
 * Headers between the client and an upstream: which are forwarded, by the rules of RFC 9110, section 7.6.1, and those of
 * the gateway, and how an answer's are translated for a caller of another format.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { FormatName } from '../../formats/conversation.ts';
import { isCost, type Usage } from '../../formats/usage.ts';
import { WINDOW_HEADER } from '../../rules/windowMark.ts';
import { readRetryAfter } from '../../service/retryAfter.ts';
import { compressionsIn } from './contentEncoding.ts';

/** Headers that apply to one connection only. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Headers in which clients send their key, depending on the vendor. */
const CREDENTIALS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'];

/**
 * Headers that proxies in front of the gateway add. They contain addresses and names of its network, which are not
 * disclosed.
 */
const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
];

/** Headers that could make an upstream server handle another request than the one that the gateway has allowed. */
const REWRITING = [
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-original-uri',
  'x-rewrite-url',
  'x-envoy-original-path',
];

/**
 * The local key, cookies, and the mark of a window are not forwarded. Host and length are set again. `__proto__` is not a
 * header name.
 */
const NOT_SENT: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  ...CREDENTIALS,
  ...FORWARDED,
  ...REWRITING,
  'cookie',
  'host',
  'content-length',
  'expect',
  WINDOW_HEADER,
  '__proto__',
]);

/**
 * Headers with which an answer could change what a browser stores for this machine's addresses, or make it send
 * reports.
 */
const FOR_BROWSERS = [
  'alt-svc',
  'clear-site-data',
  'nel',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'strict-transport-security',
  'www-authenticate',
];

const NOT_ANSWERED: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...FOR_BROWSERS, '__proto__']);

/**
 * Returns the client's headers for an upstream. Repeated headers become lists. `raw` is `rawHeaders` of `node:http`.
 */
export function requestHeaders(raw: readonly string[], connection: string | undefined): IncomingHttpHeaders {
  const named = namesIn(connection);
  // Has no prototype, because some names of inherited members are also header names.
  const headers: IncomingHttpHeaders = Object.create(null);
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    if (NOT_SENT.has(name) || named?.has(name)) continue;
    const value = raw[at + 1] ?? '';
    const before = headers[name];
    headers[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return headers;
}

/**
 * Returns an upstream's headers for the client. Headers for cross-origin access (`access-control-*`) are set only by
 * the gateway, and an encoding that compresses nothing is omitted.
 */
export function answerHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = namesIn(headers.connection);
  const answer: OutgoingHttpHeaders = {};
  for (const name in headers) {
    if (NOT_ANSWERED.has(name) || named?.has(name) || name.startsWith('access-control-')) continue;
    answer[name] = headers[name];
  }
  const encoding = answer['content-encoding'];
  if (encoding !== undefined) {
    const compressions = compressionsIn(String(encoding));
    if (compressions === '') delete answer['content-encoding'];
    else answer['content-encoding'] = compressions;
  }
  return answer;
}

/** Returns the headers that a Connection header declares as hop-by-hop. */
function namesIn(connection: string | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  // A pattern with the white space around the commas would read long white space once for each of its characters.
  const names = connection.toLowerCase().split(',');
  return new Set(names.map((name) => name.trim()));
}

/** Headers of an answer whose events must reach the client without buffering. */
export const STREAM_HEADERS: OutgoingHttpHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Returns the ID that the upstream has given the request. */
export function requestIdOf(headers: OutgoingHttpHeaders): string | undefined {
  const id = headers['request-id'] ?? headers['x-request-id'];
  return typeof id === 'string' ? id : undefined;
}

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

/** Returns those of the headers that have a value. */
export function headersNamed<Value>(headers: NodeJS.Dict<Value>, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** The vendor's limits for subscriptions have a status instead of what remains. */
const UNIFIED_RESET = 'anthropic-ratelimit-unified-reset';

/**
 * Returns how long it takes until the limits that are exhausted have room again. Those of which something remains do not
 * count, and those that state nothing may be exhausted.
 * @returns milliseconds; undefined if no such limit states when.
 */
export function exhaustedFor(headers: OutgoingHttpHeaders, now: number): number | undefined {
  const remaining = new Map<string, number>();
  const resets = new Map<string, number>();
  for (const [name, value] of Object.entries(headers)) {
    const limit = readLimit(name, value, now);
    if (limit?.aspect === 'remaining') remaining.set(limit.unit, limit.value);
    if (limit?.aspect === 'reset') resets.set(limit.unit, limit.value);
  }
  const unified = Number(headers[UNIFIED_RESET]) * 1000;
  const times = [...resets].filter(([unit]) => (remaining.get(unit) ?? 0) <= 0).map(([, at]) => at);
  if (Number.isFinite(unified)) times.push(unified);
  const wait = Math.max(...times) - now;
  return wait > 0 && Number.isFinite(wait) ? wait : undefined;
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

const COST_HEADER = 'x-litellm-response-cost';

/**
 * Returns the usage of an answer that is not a stream with the amount that a header reports, in US dollars, if the usage
 * reports none. The headers of a stream are sent before its cost is known.
 */
export function withHeaderCost(usage: Usage, headers: OutgoingHttpHeaders): Usage {
  const text = headers[COST_HEADER];
  if (typeof text !== 'string' || text.trim() === '' || usage.reportedCost !== undefined) return usage;
  const amount = Number(text);
  return isCost(amount) ? { ...usage, reportedCost: amount } : usage;
}

/** Returns the headers as pairs, as `fetch` reads them. */
export function pairsOf(headers: OutgoingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : String(value)]],
  );
}
