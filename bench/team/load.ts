import { Agent, request as httpRequest } from 'node:http';
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
