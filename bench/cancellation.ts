/** Measures how soon the upstream notices that a client has disconnected. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf, median, open } from './load.ts';
import type { Target } from './processes.ts';

export interface Cancellation {
  readonly moment: string;
  readonly medianMs: number;
  readonly longestMs: number;
}

interface Moment {
  readonly name: string;
  readonly model: string;
  readonly stream: boolean;
  readonly hasBegun: boolean;
}

const MOMENTS: readonly Moment[] = [
  { name: 'stream, before the first byte', model: 'silent', stream: true, hasBegun: false },
  { name: 'stream, after the first event', model: 'half-stream', stream: true, hasBegun: true },
  { name: 'JSON, before the first byte', model: 'silent', stream: false, hasBegun: false },
  { name: 'JSON, after the first bytes', model: 'half-json', stream: false, hasBegun: true },
];

/** The upstream has received the request after this time. In milliseconds. */
const UNDER_WAY_MS = 50;
const HEARD_MS = 200;

/** @param rounds number of rounds at each moment. */
export async function measureCancellation(upstream: Target, gateway: Target, rounds: number): Promise<Cancellation[]> {
  const measured: Cancellation[] = [];
  for (const moment of MOMENTS) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await leave(upstream, gateway, moment));
    measured.push({ moment: moment.name, medianMs: median(times), longestMs: Math.max(...times) });
  }
  return measured;
}

async function leave(upstream: Target, gateway: Target, { model, stream, hasBegun }: Moment): Promise<number> {
  const request = open(gateway, '/chat/completions', bodyOf(model, 500, stream));
  request.on('error', () => undefined);
  if (hasBegun) {
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.on('error', () => undefined);
    await once(answer, 'data');
  }
  await pause(UNDER_WAY_MS);
  const leftAt = performance.timeOrigin + performance.now();
  request.destroy();
  await pause(HEARD_MS);
  const answer = await fetch(`${upstream.address}/departures`);
  const [heardAt = Number.POSITIVE_INFINITY] = (await answer.json()) as number[];
  return heardAt - leftAt;
}
