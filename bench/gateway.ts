/**
 * What the gateway costs beside a proxy that only pipes bytes, and beside no proxy at all. All run in one go, in turn,
 * on one fake upstream; medians over the rounds. `--rounds N`, `--json FILE`, `--only WORD`.
 */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { median, type Result, run, type Work } from './load.ts';
import { start, type Target } from './processes.ts';

const WORKS: readonly Work[] = [
  {
    name: 'JSON answer, 1 at once',
    query: '',
    bodyBytes: 500,
    requests: 1000,
    concurrency: 1,
    unit: 'request',
    unitsPerRequest: 1,
  },
  {
    name: 'JSON answer, 32 at once',
    query: '',
    bodyBytes: 500,
    requests: 3000,
    concurrency: 32,
    unit: 'request',
    unitsPerRequest: 1,
  },
  {
    name: 'stream of 200 events in a burst',
    query: '?events=200',
    bodyBytes: 500,
    requests: 500,
    concurrency: 4,
    unit: 'event',
    unitsPerRequest: 200,
  },
  {
    name: 'stream of 200 events, one by one',
    query: '?events=200&pace=1',
    bodyBytes: 500,
    requests: 64,
    concurrency: 32,
    unit: 'event',
    unitsPerRequest: 200,
  },
  {
    name: 'request body of 1 MB',
    query: '',
    bodyBytes: 1_000_000,
    requests: 300,
    concurrency: 4,
    unit: 'request',
    unitsPerRequest: 1,
  },
];

const BASELINE = 'bare proxy';

interface Row {
  readonly work: string;
  readonly target: string;
  readonly result: Result;
  /** To the bare proxy in the same run; the upstream's own CPU is not compared. */
  readonly ratio: Result;
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    json: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});

async function measure(targets: readonly Target[], work: Work, rounds: number): Promise<Row[]> {
  const results = new Map<Target, Result[]>(targets.map((target) => [target, []]));
  const warmUp = { ...work, requests: Math.ceil(work.requests / 4) };
  for (const target of targets) await run(target, warmUp);
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another target, so that none always runs in the wake of the same one.
    for (let turn = 0; turn < targets.length; turn++) {
      const target = targets[(round + turn) % targets.length];
      if (target !== undefined) results.get(target)?.push(await run(target, work));
    }
  }
  const medians = new Map(targets.map((target) => [target.name, medianOf(results.get(target) ?? [])]));
  const baseline = medians.get(BASELINE) ?? medianOf([]);
  return [...medians].map(([target, result]) => ({ work: work.name, target, result, ratio: divide(result, baseline) }));
}

function medianOf(results: readonly Result[]): Result {
  return {
    cpuMicros: median(results.map(({ cpuMicros }) => cpuMicros)),
    firstByteMs: median(results.map(({ firstByteMs }) => firstByteMs)),
    totalMs: median(results.map(({ totalMs }) => totalMs)),
  };
}

function divide(a: Result, b: Result): Result {
  return {
    cpuMicros: a.cpuMicros / b.cpuMicros,
    firstByteMs: a.firstByteMs / b.firstByteMs,
    totalMs: a.totalMs / b.totalMs,
  };
}

function show({ work, target, result, ratio }: Row, unit: string): void {
  const cell = (value: number, by: number, name: string) => `${value.toFixed(2)} ${name} (${by.toFixed(2)})`.padEnd(26);
  const cpu = target === 'direct' ? ''.padEnd(26) : cell(result.cpuMicros, ratio.cpuMicros, `µs/${unit}`);
  const first = cell(result.firstByteMs, ratio.firstByteMs, 'ms');
  console.log(`${work.padEnd(34)}${target.padEnd(12)}${cpu}${first}${cell(result.totalMs, ratio.totalMs, 'ms')}`);
}

const upstream = await start('direct', './fakeUpstream.ts');
const proxy = await start(BASELINE, './bareProxy.ts', [new URL(upstream.address).port]);
const gateway = await start(
  'gateway',
  '../src/gateway/serve.ts',
  ['--port', '0', '--upstream', `hosted:${upstream.address}`],
  {
    MODEL_ACCESS_KEY: 'key_bench',
  },
);
const targets = [upstream, proxy, gateway];
const idleMemory = { proxy: proxy.memory(), gateway: gateway.memory() };

const rows: Row[] = [];
console.log(
  `${'work'.padEnd(34)}${'target'.padEnd(12)}${'CPU (ratio)'.padEnd(26)}${'first byte'.padEnd(26)}whole answer`,
);
try {
  for (const work of WORKS.filter(({ name }) => name.includes(values.only))) {
    const measured = await measure(targets, work, Number(values.rounds));
    for (const row of measured) show(row, work.unit);
    rows.push(...measured);
  }
  const started = [proxy, gateway].map(({ name, startMs }) => `${name} ${startMs.toFixed(0)} ms`).join(', ');
  console.log(`\nstart to listening: ${started}`);
  console.log(
    `idle memory: ${Object.entries(idleMemory)
      .map(([name, bytes]) => `${name} ${(bytes / 1e6).toFixed(0)} MB`)
      .join(', ')}`,
  );
  if (values.json !== undefined) {
    const machine = { node: process.version, platform: process.platform, cpu: cpus()[0]?.model, cores: cpus().length };
    const startMs = { proxy: proxy.startMs, gateway: gateway.startMs };
    await writeFile(values.json, `${JSON.stringify({ machine, startMs, idleMemory, rows }, undefined, 2)}\n`);
  }
} finally {
  await Promise.all(targets.map((target) => target.stop()));
}
