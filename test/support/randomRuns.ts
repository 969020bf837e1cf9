/** How many random cases the tests try. Each run of the tests tries others, so few are enough for one run. */
import * as fc from 'fast-check';

/** `TEST_RUNS=10` tries ten times as many as `npm test`. */
const FACTOR = Number(process.env.TEST_RUNS ?? 1);

/** Returns the number of cases to try where `npm test` tries `count`. */
export function runs(count: number): number {
  return Math.ceil(count * FACTOR);
}

/** The cases of a run, for all of its processes, which inherit the variable. */
process.env.TEST_SEED ??= String(Math.floor(Math.random() * 2 ** 31));

/** The number is for properties that set none. */
fc.configureGlobal({ numRuns: runs(30), seed: Number(process.env.TEST_SEED) });

/**
 * Returns how many orders a suite of `test/unit/order` tries where `npm test` tries `count`. `npm run soak:order` sets
 * the same number for all of them.
 */
export function schedules(count: number): number {
  return Number(process.env.ORDER_SCHEDULES ?? runs(count));
}
