import { setTimeout as delay } from 'node:timers/promises';

const MAX_WAIT_MS = 30_000;
const PAUSE_MS = 100;

/** Repeats a check until it succeeds: for conditions that a page cannot wait for, such as the clipboard. */
export async function eventually(
  what: string,
  holds: () => Promise<boolean>,
  maxWaitMs: number = MAX_WAIT_MS,
): Promise<void> {
  const deadline = Date.now() + maxWaitMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Not within ${maxWaitMs / 1000} s: ${what}`);
    await delay(PAUSE_MS);
  }
}
