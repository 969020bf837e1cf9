import type { IncomingHttpHeaders } from 'node:http';
import type { FormatName } from '../../formats/conversation.ts';
import { readMarkedPath } from '../../rules/windowMark.ts';
import type { Endpoint } from './endpoint.ts';

export type RequestPath =
  | {
      readonly kind: 'endpoint';
      readonly endpoint: Endpoint;
      /** `/{id}` of a single model, otherwise empty. */
      readonly subpath: string;
      /** Includes the `?`, as the client wrote it. May be empty. */
      readonly query: string;
      /** The mark of the window in whose terminal the client runs, if its address has one. */
      readonly window?: string;
    }
  /** A health check: whether the gateway is running, or whether it accepts requests. */
  | { readonly kind: 'probe'; readonly subject: 'live' | 'ready' }
  | { readonly kind: 'unknown'; readonly path: string };

export const METHOD_OF_ENDPOINT: Readonly<Record<Endpoint, 'GET' | 'POST'>> = {
  '/chat/completions': 'POST',
  '/messages': 'POST',
  '/messages/count_tokens': 'POST',
  '/responses': 'POST',
  '/responses/compact': 'POST',
  '/responses/input_tokens': 'POST',
  '/responses/': 'GET',
  '/completions': 'POST',
  '/embeddings': 'POST',
  '/moderations': 'POST',
  '/rerank': 'POST',
  '/images/generations': 'POST',
  '/images/edits': 'POST',
  '/audio/transcriptions': 'POST',
  '/audio/translations': 'POST',
  '/audio/speech': 'POST',
  '/models': 'GET',
  '/balance': 'GET',
};

/** The endpoint that also has WebSocket connections. */
export const RESPONSES = { kind: 'endpoint', endpoint: '/responses', subpath: '', query: '' } as const;

const READY: RequestPath = { kind: 'probe', subject: 'ready' };
const LIVE: RequestPath = { kind: 'probe', subject: 'live' };

const PROBES: ReadonlyMap<string, RequestPath> = new Map([
  ['', LIVE],
  ['/', LIVE],
  ['/hello', LIVE],
  ['/health', LIVE],
  ['/health/live', LIVE],
  ['/health/ready', READY],
]);

/** Prefixes of endpoint paths. Clients send several, because their SDKs append parts of the prefix themselves. */
const DEFAULT_PREFIXES = ['/api/v1', '/v1', '/api/v1/v1', ''];

/** The endpoint of a stored response needs an ID. */
const STORED: Endpoint = '/responses/';

const DEFAULT_PATHS: ReadonlyMap<string, Endpoint> = new Map(
  DEFAULT_PREFIXES.flatMap((prefix) =>
    Object.keys(METHOD_OF_ENDPOINT)
      .filter((endpoint) => endpoint !== STORED)
      .map((endpoint) => [`${prefix}${endpoint}`, endpoint as Endpoint] as const),
  ),
);

const PREFIX = /^(?:\/api)?(?:\/v1)*(?=\/|$)/;

/**
 * Finds the route of an address: `/api/v1/...`, `/v1/...`, with a repeated or no prefix, duplicate or trailing slashes,
 * any query, and the mark of a window in front. `address` is the request target, such as `/api/v1/messages?beta=true`.
 */
export function matchRoute(address: string): RequestPath {
  const mark = address.indexOf('?');
  const path = mark === -1 ? address : address.slice(0, mark);
  const query = mark === -1 ? '' : address.slice(mark);
  const usual = DEFAULT_PATHS.get(path);
  return usual === undefined ? matchUnusual(path, query) : { kind: 'endpoint', endpoint: usual, subpath: '', query };
}

function matchUnusual(path: string, query: string): RequestPath {
  const marked = readMarkedPath(path);
  if (marked === undefined) return matchUnmarked(path, query);
  const route = matchUnmarked(marked.rest, query);
  if (route.kind === 'unknown') return { kind: 'unknown', path };
  return route.kind === 'endpoint' ? { ...route, window: marked.window } : route;
}

function matchUnmarked(path: string, query: string): RequestPath {
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
  if (STORED_PATH.test(rest)) return { kind: 'endpoint', endpoint: STORED, subpath: rest.slice(STORED.length), query };
  return PROBES.get(rest) ?? { kind: 'unknown', path };
}

/** A response and its input items. */
const STORED_PATH = /^\/responses\/[\w.~-]{1,200}(?:\/input_items)?$/;

/** A dot segment, with the path parameters that some servers accept after it. */
const DOT = /^(?:\.|%2e){1,2}(?:;.*)?$/i;
const CONTROL_OR_BACKSLASH = /\\|%5c|%[01][\da-f]|%7f/i;

/**
 * False for paths with dot segments, backslashes, or control characters, which an upstream might resolve to another
 * endpoint.
 */
function isPlain(path: string): boolean {
  // Some servers decode twice.
  const once = path.replace(/%(?:25)+/g, '%');
  return !CONTROL_OR_BACKSLASH.test(once) && !once.split(/\/|%2f/i).some((segment) => DOT.test(segment));
}

/** Decodes a segment of a path, or a value that is encoded like one. Invalid ones stay as they are. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Returns the format in which the caller reads errors: the endpoint's own, or else the one that its headers indicate.
 */
export function callerFormat(endpoint: Endpoint | undefined, headers: IncomingHttpHeaders): FormatName {
  if (endpoint === STORED) return 'responses';
  const hasOwn = endpoint !== undefined && METHOD_OF_ENDPOINT[endpoint] === 'POST';
  if (!hasOwn) return speaksMessages(headers) ? 'messages' : 'chat-completions';
  if (endpoint.startsWith('/messages')) return 'messages';
  return endpoint.startsWith('/responses') ? 'responses' : 'chat-completions';
}

function speaksMessages(headers: IncomingHttpHeaders): boolean {
  return (
    headers['anthropic-version'] !== undefined ||
    headers['vendorb-version'] !== undefined ||
    headers['x-api-key'] !== undefined
  );
}
