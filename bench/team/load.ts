import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { MODEL } from './prices.ts';

export interface LoadResult {
  /** Number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Milliseconds from sending the request to the last byte, ascending. */
  readonly times: readonly number[];
}

export interface Load {
  readonly addresses: readonly string[];
  readonly key: string;
  readonly requests: number;
  /** Number of concurrent requests, over all addresses. */
  readonly concurrency: number;
}

const BODY = JSON.stringify({ model: MODEL, max_tokens: 10, messages: [{ role: 'user', content: 'A question.' }] });

/** Requests that arrive independently of each other and of the answers, as those of many clients do. */
export interface PacedLoad {
  readonly addresses: readonly string[];
  readonly key: string;
  readonly requests: number;
  /** Requests per second, on average. */
  readonly rate: number;
}

/** Sends requests at this rate to all addresses in turn, with the same intervals in each run. */
export async function pacedLoad({ addresses, key, requests, rate }: PacedLoad): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true });
  const statuses = new Map<number, number>();
  const times: number[] = [];
  const random = randomNumbers();
  const begun = performance.now();
  let due = 0;
  const asked: Promise<void>[] = [];
  for (let nth = 0; nth < requests; nth++) {
    // The intervals of independent arrivals are distributed exponentially.
    due -= (Math.log(1 - random()) / rate) * 1000;
    await delay(Math.max(0, begun + due - performance.now()));
    const at = performance.now();
    asked.push(
      ask(addresses[nth % addresses.length] ?? '', key, agent).then((status) => {
        times.push(performance.now() - at);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
    );
  }
  await Promise.all(asked);
  agent.destroy();
  return { statuses, times: times.toSorted((a, b) => a - b) };
}

/** Returns a generator of numbers from 0 to 1, the same sequence for each. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Sends requests to all addresses in turn and reads the answers to the end. */
export async function load({ addresses, key, requests, concurrency }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const statuses = new Map<number, number>();
  const times: number[] = [];
  let next = 0;
  const caller = async () => {
    while (next < requests) {
      const address = addresses[next++ % addresses.length] ?? '';
      const begun = performance.now();
      const status = await ask(address, key, agent);
      times.push(performance.now() - begun);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  agent.destroy();
  return { statuses, times: times.toSorted((a, b) => a - b) };
}

export function ask(address: string, key: string, agent?: Agent): Promise<number> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(BODY),
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${address}/chat/completions`, { method: 'POST', headers, ...(agent && { agent }) });
    request.on('error', reject).on('response', (answer) => {
      answer
        .resume()
        .on('end', () => resolve(answer.statusCode ?? 0))
        .on('error', reject);
    });
    request.end(BODY);
  });
}

/** Returns the value below which this fraction of the times is. */
export function quantile(times: readonly number[], part: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
}
