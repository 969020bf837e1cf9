/** Measures how long programs take to listen, and how much memory they use then. */
import { setTimeout as pause } from 'node:timers/promises';
import { rotated } from './compare.ts';
import { median } from './load.ts';
import { type Program, start } from './processes.ts';

export interface Start {
  readonly target: string;
  readonly startMs: number;
  readonly startCpuMs: number;
  /** Memory in bytes, one second after the start. */
  readonly idleMemory: number;
}

const IDLE_AFTER_MS = 1000;

export async function measureStarts(programs: readonly Program[], rounds: number): Promise<Start[]> {
  const starts: Start[] = [];
  // The first start may have to build the gateway.
  for (const program of programs) await (await start(program)).stop();
  for (let round = 0; round < rounds; round++) {
    for (const program of rotated(programs, round)) {
      const target = await start(program);
      const startCpuMs = target.cpuSeconds() * 1000;
      await pause(IDLE_AFTER_MS);
      starts.push({ target: target.name, startMs: target.startMs, startCpuMs, idleMemory: target.memory() });
      await target.stop();
    }
  }
  return programs.map(({ name }) => {
    const own = starts.filter(({ target }) => target === name);
    return {
      target: name,
      startMs: median(own.map(({ startMs }) => startMs)),
      startCpuMs: median(own.map(({ startCpuMs }) => startCpuMs)),
      idleMemory: median(own.map(({ idleMemory }) => idleMemory)),
    };
  });
}
