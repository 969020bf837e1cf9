/** The client of a benchmark: sends requests, reads the answers to the end, and records the times. */
import { Agent, type ClientRequest, request as httpRequest } from 'node:http';
import type { Target } from './processes.ts';
import type { Work } from './works.ts';

export interface Result {
  /** CPU time of the target alone per unit, in microseconds. */
  readonly cpuMicros: number;
  /** Medians over the requests, in milliseconds since the request was sent. */
  readonly firstByteMs: number;
  readonly totalMs: number;
}

interface Times {
  readonly firstByteMs: number;
  readonly totalMs: number;
}

export async function run(target: Target, work: Work): Promise<Result> {
  const agent = new Agent({ keepAlive: true, maxSockets: work.concurrency });
  const path = pathOf(work);
  const body = bodyOf(work.model, work.bodyBytes);
  const times: Times[] = [];
  let left = work.requests;
  const client = async () => {
    while (left-- > 0) times.push(await ask(target, path, body, agent));
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

function pathOf({ kind }: Pick<Work, 'kind'>): string {
  return kind === 'translated' ? '/messages' : '/chat/completions';
}

/** Sends a request and leaves reading the answer to the caller. */
export function open(
  { address, key }: Pick<Target, 'address' | 'key'>,
  path: string,
  body: Buffer,
  agent?: Agent,
  further: Readonly<Record<string, string>> = {},
): ClientRequest {
  const headers = {
    ...further,
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': body.length,
    'user-agent': 'bench/1',
  };
  const request = httpRequest(`${address}${path}`, { method: 'POST', headers, agent: agent ?? false });
  return request.end(body);
}

export function ask(
  target: Pick<Target, 'address' | 'key'>,
  path: string,
  body: Buffer,
  agent: Agent,
  headers?: Readonly<Record<string, string>>,
): Promise<Times> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const request = open(target, path, body, agent, headers);
    request.on('error', reject).on('response', (answer) => {
      const firstByteMs = performance.now() - begun;
      if (answer.statusCode !== 200) reject(new Error(`Status ${answer.statusCode} from ${target.address}.`));
      answer.resume().on('end', () => resolve({ firstByteMs, totalMs: performance.now() - begun }));
      answer.on('error', reject);
    });
  });
}

/**
 * Requests resemble those of an agent: turns of a few kilobytes, such as files that were read and commands that were
 * run.
 */
const TURN_BYTES = 4_000;
const LINE = '  const total = items.reduce((sum, { price, count }) => sum + price * count, 0); // "net"\n';

/** Returns a request of approximately this many bytes that is valid in both formats. */
export function bodyOf(model: string, bytes: number, stream = model.includes('events')): Buffer {
  const text = LINE.repeat(Math.ceil(TURN_BYTES / LINE.length));
  const turns: { role: 'user' | 'assistant'; content: string }[] = [];
  let left = bytes - JSON.stringify({ model, stream, max_tokens: 1000, messages: [] }).length;
  while (left > 0 || turns.length % 2 === 0) {
    const content = text.slice(0, Math.max(1, Math.min(TURN_BYTES, left - 40)));
    turns.push({ role: turns.length % 2 === 0 ? 'user' : 'assistant', content });
    left -= JSON.stringify(turns.at(-1)).length + 1;
  }
  return Buffer.from(JSON.stringify({ model, stream, max_tokens: 1000, messages: turns }));
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
