/** Questions of balancers and of tools about the gateway itself, which need no key. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '../core/route.ts';

export type Probe = Extract<Route, { kind: 'probe' }>['subject'];

export function probeOf({ method }: IncomingMessage, route: Route): Probe | undefined {
  return route.kind === 'probe' && (method === 'GET' || method === 'HEAD') ? route.subject : undefined;
}

/** A gateway that is stopping is alive and not ready: 503 makes a balancer send its requests elsewhere. */
export function answerProbe(response: ServerResponse, probe: Probe, isAdmitting: boolean): void {
  if (probe === 'live') send(response, 200, { status: 'ok' });
  else if (isAdmitting) send(response, 200, { status: 'ready' });
  else send(response, 503, { status: 'stopping' });
}

function send(response: ServerResponse, status: number, answer: { readonly status: string }): void {
  const body = JSON.stringify(answer);
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'content-length': body.length };
  response.writeHead(status, headers).end(body);
}
