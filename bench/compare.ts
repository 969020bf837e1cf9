/** Runs one work on all targets in turn, in several rounds. */
import { median, type Result, run } from './load.ts';
import type { Target } from './processes.ts';
import { BASELINE } from './programs.ts';
import type { Work } from './works.ts';

export interface Row {
  readonly work: string;
  readonly unit: Work['unit'];
  readonly target: string;
  readonly result: Result;
  /** Relative to the bare proxy in the same run. No CPU is compared with the upstream alone. */
  readonly ratio: Result;
  /** Maximum values of the ratios. */
  readonly goals: Work['goals'];
}

/**
 * Rounds that are not counted. V8 compiles hot code on threads whose CPU counts too, and this takes longer the more
 * code a program runs per request. A gateway runs all day.
 */
const WARM_UP_ROUNDS = 4;

/** Returns medians over the rounds. Each round begins with another target, so that none always follows the same one. */
export async function compare(targets: readonly Target[], work: Work, rounds: number): Promise<Row[]> {
  const results = new Map<Target, Result[]>(targets.map((target) => [target, []]));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const target of rotated(targets, round + WARM_UP_ROUNDS)) {
      const result = await run(target, work);
      if (round >= 0) results.get(target)?.push(result);
    }
  }
  const medians = new Map(targets.map((target) => [target.name, medianOf(results.get(target) ?? [])]));
  const baseline = medians.get(BASELINE) ?? medianOf([]);
  const { name, unit, goals } = work;
  return [...medians].map(([target, result]) => ({
    ...{ work: name, unit, target, result },
    ratio: divide(result, baseline),
    goals,
  }));
}

export function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
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
