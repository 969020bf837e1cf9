/**
 * Selects the headers that are forwarded between the client and an upstream, by the rules of RFC 9110, section 7.6.1,
 * and those of the gateway.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { WINDOW_HEADER } from '../../rules/windowMark.ts';

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
 * the gateway.
 */
export function answerHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = namesIn(headers.connection);
  const answer: OutgoingHttpHeaders = {};
  for (const name in headers) {
    if (NOT_ANSWERED.has(name) || named?.has(name) || name.startsWith('access-control-')) continue;
    answer[name] = headers[name];
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
