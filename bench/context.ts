/**
 * Measures the time that the thread takes to measure what requests consist of, and the memory of the conversations that
 * it remembers.
 */
import { ContextMeter } from '../src/gateway/context/contextMeter.ts';
import { Tokenizer } from '../src/gateway/counting/tokenizer.ts';
import { ContextScript, SHAPES } from '../test/support/contextScripts.ts';

const tokenizer = new Tokenizer();
const newMeter = () => new ContextMeter((text) => tokenizer.count(text));
const MEGABYTE = 1_000_000;
const CONVERSATIONS = 1_000;
const ROUNDS = 15;
const [shape] = SHAPES;
if (shape === undefined) throw new Error('There is no client.');

function longScript(seed: number, bytes: number): ContextScript {
  const script = new ContextScript(shape as NonNullable<typeof shape>, seed);
  script.session.ask('Fix the failing tests.');
  while (script.session.request().length < bytes) for (let step = 0; step < 20; step++) script.work();
  return script;
}

/** Returns the CPU time in milliseconds, which does not depend on what else the machine does. */
function timed(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  return process.cpuUsage(start).user / 1000;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}

function ask(meter: ContextMeter, script: ContextScript, lane = 'one'): () => unknown {
  const body = script.session.request();
  return () => meter.measure({ model: script.shape.model, lane, body });
}

const long = longScript(1, MEGABYTE);
// The first measures compile the code.
for (let round = 0; round < 5; round++) ask(newMeter(), long)();
const whole = Array.from({ length: ROUNDS }, () => timed(ask(newMeter(), long)));
console.log(`A request of 1 MB: ${median(whole).toFixed(1)} ms`);

const meter = newMeter();
ask(meter, long)();
const steps = Array.from({ length: ROUNDS }, () => {
  long.session.step([long.read(4_000)], long.prose(500), long.prose(500));
  return timed(ask(meter, long));
});
console.log(`A step that adds 5 KB to it: ${median(steps).toFixed(2)} ms`);

const agents = Array.from({ length: 10 }, (_, seed) => longScript(seed + 2, 100_000));
const held = newMeter();
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
for (let lane = 0; lane < CONVERSATIONS; lane++) {
  const script = agents[lane % agents.length];
  if (script !== undefined) ask(held, script, `lane ${lane}`)();
}
globalThis.gc?.();
const megabytes = (process.memoryUsage().heapUsed - before) / MEGABYTE;
console.log(`${CONVERSATIONS} conversations of 100 KB: ${megabytes.toFixed(1)} MB (run with --expose-gc)`);
