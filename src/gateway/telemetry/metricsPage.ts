import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROMETHEUS_TYPE } from './prometheus.ts';

const PATH = '/metrics';
const BEARER = /^bearer +(\S+) *$/i;

/**
 * Answers `GET /metrics` for requests with its own key. Local keys do not grant access to the page, and its key grants
 * access to nothing else.
 * @returns a function that returns whether a request was for the page.
 */
export function metricsPage(key: string, text: () => string) {
  const expected = digestOf(key);
  return (request: IncomingMessage, response: ServerResponse, onRefused: (reason: string) => void): boolean => {
    const { url = '', method, headers } = request;
    if (url.replace(/\?.*/, '') !== PATH) return false;
    const given = BEARER.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digestOf(given), expected)) {
      onRefused('no key for the metrics');
      refuse(response, 401, { 'www-authenticate': 'Bearer' });
    } else if (method !== 'GET') refuse(response, 405, { allow: 'GET' });
    else response.writeHead(200, { 'content-type': PROMETHEUS_TYPE }).end(text());
    request.resume();
    return true;
  };
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.writeHead(status, { ...headers, connection: 'close' }).end();
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
