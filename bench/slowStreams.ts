/** Measures many slow streams at once: the cost of an event, and the memory of each stream. */
import { setTimeout as pause } from 'node:timers/promises';
import { rotated } from './compare.ts';
import { bodyOf, median, open } from './load.ts';
import { type Program, start, type Target } from './processes.ts';

const STREAMS = 500;
const EVENTS = 30;
const PACE_MS = 200;
const BODY = bodyOf(`events-${EVENTS}-${PACE_MS}`, 500);
/** After this time, all streams of a wave have started and none has ended. */
const MEASURED_AFTER_MS = (EVENTS * PACE_MS) / 2;

export interface SlowStreams {
  readonly target: string;
  readonly cpuMicrosPerEvent: number;
  /** Bytes per open stream, in addition to those of the same process when idle. */
  readonly memoryPerStream: number;
}

/**
 * Returns medians. Every round has new processes, because memory that was allocated once is rarely returned. The memory
 * is read in the first wave of streams, the CPU in the second, because the first is also the first work of the process.
 */
export async function measureSlowStreams(programs: readonly Program[], rounds: number): Promise<SlowStreams[]> {
  const results = new Map<string, SlowStreams[]>(programs.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const program of rotated(programs, round)) {
      const target = await start(program);
      results.get(program.name)?.push(await measure(target));
      await target.stop();
    }
  }
  return [...results].map(([target, measured]) => ({
    target,
    cpuMicrosPerEvent: median(measured.map(({ cpuMicrosPerEvent }) => cpuMicrosPerEvent)),
    memoryPerStream: median(measured.map(({ memoryPerStream }) => memoryPerStream)),
  }));
}

async function measure(target: Target): Promise<SlowStreams> {
  await stream(target);
  const idleMemory = target.memory();
  const first = wave(target);
  await pause(MEASURED_AFTER_MS);
  const memory = target.memory();
  await first;
  const idleCpu = target.cpuSeconds();
  await wave(target);
  return {
    target: target.name,
    cpuMicrosPerEvent: ((target.cpuSeconds() - idleCpu) * 1e6) / (STREAMS * EVENTS),
    memoryPerStream: (memory - idleMemory) / STREAMS,
  };
}

async function wave(target: Target): Promise<void> {
  await Promise.all(Array.from({ length: STREAMS }, () => stream(target)));
}

function stream(target: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = open(target, '/chat/completions', BODY);
    request.on('error', reject).on('response', (answer) => {
      answer.resume().on('end', resolve).on('error', reject);
    });
  });
}
