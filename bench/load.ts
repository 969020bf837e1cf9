/** The client of a benchmark: sends requests, reads the answers to the end, and keeps the times. */
import { Agent, request as httpRequest } from 'node:http';
import type { Target } from './processes.ts';

export interface Work {
  readonly name: string;
  /** How the fake upstream shall answer, with its `?`. */
  readonly query: string;
  readonly bodyBytes: number;
  readonly requests: number;
  readonly concurrency: number;
  /** What the CPU is divided by: requests, or events of a stream. */
  readonly unit: 'request' | 'event';
  readonly unitsPerRequest: number;
}

export interface Result {
  /** Microseconds of the target's CPU for one unit; of the target alone. */
  readonly cpuMicros: number;
  /** Medians over the requests, in milliseconds from the sending. */
  readonly firstByteMs: number;
  readonly totalMs: number;
}

interface Times {
  readonly firstByteMs: number;
  readonly totalMs: number;
}

export async function run(target: Target, work: Work): Promise<Result> {
  const agent = new Agent({ keepAlive: true, maxSockets: work.concurrency });
  const body = bodyOf(work.bodyBytes);
  const times: Times[] = [];
  let left = work.requests;
  const client = async () => {
    while (left-- > 0) times.push(await ask(target, work.query, body, agent));
  };
  const before = target.cpuSeconds();
  await Promise.all(Array.from({ length: work.concurrency }, client));
  const cpu = target.cpuSeconds() - before;
  agent.destroy();
  return {
    cpuMicros: (cpu * 1e6) / (work.requests * work.unitsPerRequest),
    firstByteMs: median(times.map(({ firstByteMs }) => firstByteMs)),
    totalMs: median(times.map(({ totalMs }) => totalMs)),
  };
}

function ask({ address, key }: Target, query: string, body: Buffer, agent: Agent): Promise<Times> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'bench/1',
    };
    const request = httpRequest(`${address}/chat/completions${query}`, { method: 'POST', headers, agent }, (answer) => {
      const firstByteMs = performance.now() - begun;
      if (answer.statusCode !== 200) reject(new Error(`Status ${answer.statusCode} from ${address}.`));
      answer.resume().on('end', () => resolve({ firstByteMs, totalMs: performance.now() - begun }));
      answer.on('error', reject);
    });
    request.on('error', reject).end(body);
  });
}

function bodyOf(bytes: number): Buffer {
  const frame = { model: 'familya-haiku-4.5', stream: true, messages: [{ role: 'user', content: '' }] };
  const rest = Math.max(0, bytes - JSON.stringify(frame).length);
  return Buffer.from(JSON.stringify({ ...frame, messages: [{ role: 'user', content: 'x'.repeat(rest) }] }));
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
