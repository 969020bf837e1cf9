/**
 * Measures what sessions and the comparison of caches cost: `npm run bench:sessions` runs a gateway with both and one
 * without in turn, and prints medians. `--rounds N` (9).
 */
import { parseArgs } from 'node:util';
import { median, type Result, run } from './load.ts';
import { start, type Target } from './processes.ts';
import { Programs, UPSTREAM } from './programs.ts';
import { WORKS } from './works.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });
const rounds = Number(values.rounds);
const NAMES = ['JSON answer, 32 at once', '200 events in a burst, 32 at once', 'request body of 1 MB'];
/** Rounds in which V8 still compiles. */
const WARM_UP = 3;

const upstream = await start(UPSTREAM);
const programs = new Programs(upstream);
const { gateway } = programs;
const preload = ['--import', new URL('withoutSessions.ts', import.meta.url).href];
const on = await start(gateway);
const off = await start({ ...programs.gateway, name: 'without sessions', command: [...preload, ...gateway.command] });

console.log('| Work | | with | without | difference |\n|---|---|---|---|---|');
for (const work of WORKS.filter(({ name }) => NAMES.includes(name))) {
  const results = new Map<Target, Result[]>([
    [on, []],
    [off, []],
  ]);
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const target of round % 2 === 0 ? [on, off] : [off, on]) {
      const result = await run(target, work);
      if (round >= 0) results.get(target)?.push(result);
    }
  }
  for (const [label, part, divisor] of [
    [`CPU per ${work.unit}, µs`, 'cpuMicros', 1],
    ['first byte, ms', 'firstByteMs', 1],
    ['total, ms', 'totalMs', 1],
  ] as const) {
    const of = (target: Target) => median((results.get(target) ?? []).map((result) => result[part])) / divisor;
    const [withThem, without] = [of(on), of(off)];
    console.log(
      `| ${work.name} | ${label} | ${withThem.toFixed(2)} | ${without.toFixed(2)} | ${(withThem - without).toFixed(2)} |`,
    );
  }
}

await Promise.all([on, off, upstream].map((target) => target.stop()));
programs.remove();
