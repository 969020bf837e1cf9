import type { Endpoint } from './upstream.ts';

export type Route =
  | {
      readonly kind: 'endpoint';
      readonly endpoint: Endpoint;
      /** `/{id}` of a single model, else empty. */
      readonly subpath: string;
      /** With its `?`, as the client wrote it, or empty. */
      readonly query: string;
    }
  /** Asks only whether the gateway is there, or whether it takes requests. */
  | { readonly kind: 'probe'; readonly subject: 'live' | 'ready' }
  | { readonly kind: 'unknown'; readonly path: string };

export const METHOD_OF_ENDPOINT: Readonly<Record<Endpoint, 'GET' | 'POST'>> = {
  '/chat/completions': 'POST',
  '/messages': 'POST',
  '/messages/count_tokens': 'POST',
  '/responses': 'POST',
  '/responses/compact': 'POST',
  '/models': 'GET',
  '/balance': 'GET',
};

const READY: Route = { kind: 'probe', subject: 'ready' };
const LIVE: Route = { kind: 'probe', subject: 'live' };

const PROBES: ReadonlyMap<string, Route> = new Map([
  ['', LIVE],
  ['/', LIVE],
  ['/hello', LIVE],
  ['/health', LIVE],
  ['/health/live', LIVE],
  ['/health/ready', READY],
]);

/** What clients put before an endpoint's path: their SDKs append parts of the prefix by themselves. */
const DEFAULT_PREFIXES = ['/api/v1', '/v1', '/api/v1/v1', ''];

const DEFAULT_PATHS: ReadonlyMap<string, Endpoint> = new Map(
  DEFAULT_PREFIXES.flatMap((prefix) =>
    Object.keys(METHOD_OF_ENDPOINT).map((endpoint) => [`${prefix}${endpoint}`, endpoint as Endpoint] as const),
  ),
);

const PREFIX = /^(?:\/api)?(?:\/v1)*(?=\/|$)/;

/**
 * The route that an address leads to: `/api/v1/...`, `/v1/...`, the prefix twice or not at all, slashes doubled or
 * trailing, any query. `address` is the request target, such as `/api/v1/messages?beta=true`.
 */
export function matchRoute(address: string): Route {
  const mark = address.indexOf('?');
  const path = mark === -1 ? address : address.slice(0, mark);
  const query = mark === -1 ? '' : address.slice(mark);
  const usual = DEFAULT_PATHS.get(path);
  return usual === undefined ? matchUnusual(path, query) : { kind: 'endpoint', endpoint: usual, subpath: '', query };
}

function matchUnusual(path: string, query: string): Route {
  if (!path.startsWith('/') || !isPlain(path)) return { kind: 'unknown', path };
  const rest = path
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
    .replace(PREFIX, '');
  const endpoint = DEFAULT_PATHS.get(rest);
  if (endpoint !== undefined) return { kind: 'endpoint', endpoint, subpath: '', query };
  if (rest.startsWith('/models/')) {
    return { kind: 'endpoint', endpoint: '/models', subpath: rest.slice('/models'.length), query };
  }
  return PROBES.get(rest) ?? { kind: 'unknown', path };
}

/** With what some servers take for a parameter behind it. */
const DOT = /^(?:\.|%2e){1,2}(?:;.*)?$/i;
const CONTROL_OR_BACKSLASH = /\\|%5c|%[01][\da-f]|%7f/i;

/** False for paths that climb or break off, which a server behind might take for another endpoint. */
function isPlain(path: string): boolean {
  // Some servers decode twice.
  const once = path.replace(/%(?:25)+/g, '%');
  return !CONTROL_OR_BACKSLASH.test(once) && !once.split(/\/|%2f/i).some((segment) => DOT.test(segment));
}
