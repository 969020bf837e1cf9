/** Health checks of balancers and tools, which need no key. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestPath } from '../core/route.ts';

export type Probe = Extract<RequestPath, { kind: 'probe' }>['subject'];

export function probeOf({ method }: IncomingMessage, route: RequestPath): Probe | undefined {
  return route.kind === 'probe' && (method === 'GET' || method === 'HEAD') ? route.subject : undefined;
}

export interface Readiness {
  readonly isAdmitting: boolean;
  readonly isDatabaseAway: boolean;
}

/**
 * A gateway that is stopping is alive but not ready: status 503 makes a balancer send its requests elsewhere. A gateway
 * without its database stays ready, because all other replicas are without it, too, and some requests can still be
 * answered.
 */
export function answerProbe(response: ServerResponse, probe: Probe, { isAdmitting, isDatabaseAway }: Readiness): void {
  if (probe === 'live') send(response, 200, { status: 'ok' });
  else if (!isAdmitting) send(response, 503, { status: 'stopping' });
  else send(response, 200, { status: 'ready', ...(isDatabaseAway && { database: 'away' }) });
}

function send(response: ServerResponse, status: number, answer: Readonly<Record<string, string>>): void {
  const body = JSON.stringify(answer);
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'content-length': body.length };
  response.writeHead(status, headers).end(body);
}
