/** Which headers travel between the client and an upstream. Rules of RFC 9110, section 7.6.1, and of the gateway. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** They speak of one connection only. */
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

/** In which clients of one vendor or another send their key. */
const CREDENTIALS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'];

/** What proxies in front of the gateway add: addresses and names of its network, which are nobody else's business. */
const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
];

/** By which a server behind may take the request for another one than the gateway has allowed. */
const REWRITING = [
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-original-uri',
  'x-rewrite-url',
  'x-envoy-original-path',
];

/** The local key and cookies stay here; host and length are written anew; `__proto__` is no header's name. */
const NOT_SENT: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  ...CREDENTIALS,
  ...FORWARDED,
  ...REWRITING,
  'cookie',
  'host',
  'content-length',
  'expect',
  '__proto__',
]);

/** By which a browser would change what it keeps for this machine's addresses, or tell others about it. */
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

/** The client's headers for an upstream, those that came more than once as lists. `raw` as `node:http` gives it. */
export function requestHeaders(raw: readonly string[], connection: string | undefined): IncomingHttpHeaders {
  const named = namesIn(connection);
  // Without the names that every object has, of which one is a header's, too.
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
 * An upstream's headers for the client. Leave for other pages to read the answer (`access-control-*`) is the
 * gateway's alone to give.
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

/** Headers that a Connection header declares to be of this hop only. */
function namesIn(connection: string | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return new Set(connection.toLowerCase().split(/\s*,\s*/));
}
