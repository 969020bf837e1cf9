import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { WINDOW_HEADER } from '../../rules/windowMark.ts';
import { matchRoute } from '../core/route.ts';

/** What an exchange reads of a request's head. */
export interface TurnHead extends Pick<IncomingMessage, 'headers' | 'rawHeaders'> {
  /** The mark of the window in whose terminal the client runs. */
  readonly window?: IncomingHttpHeaders[string];
}

/** Headers of the handshake, and those that are different for each turn. */
const NOT_OF_TURN = /^(?:sec-websocket-.*|upgrade|connection|accept|accept-encoding|content-(?:type|length|encoding))$/;
const BETA = 'openai-beta';
/** Announces WebSocket, which the upstream of a turn may not support. */
const WEBSOCKET_BETA = /^\s*responses_websockets=/;
const OWN = ['content-type', 'application/json', 'accept', 'text/event-stream'];

/** Returns the head that each request of a connection would have over HTTP. */
export function turnHead({ url = '', rawHeaders }: Pick<IncomingMessage, 'url' | 'rawHeaders'>): TurnHead {
  const raw: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = name === BETA ? withoutWebSocket(rawHeaders[at + 1] ?? '') : rawHeaders[at + 1];
    if (value && !NOT_OF_TURN.test(name)) raw.push(name, value);
  }
  raw.push(...OWN);
  const headers: IncomingHttpHeaders = {};
  for (let at = 0; at < raw.length; at += 2) headers[raw[at] ?? ''] ??= raw[at + 1];
  const route = matchRoute(url);
  const marked = route.kind === 'endpoint' ? route.window : undefined;
  return { headers, rawHeaders: raw, window: marked ?? headers[WINDOW_HEADER] };
}

function withoutWebSocket(betas: string): string {
  return betas
    .split(',')
    .filter((beta) => !WEBSOCKET_BETA.test(beta))
    .join(',');
}
