import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const MAX_WAIT_MS = 30_000;
/** The pause after the first check. Each further one is twice as long, up to the last. */
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 100;

/** Repeats a check until it succeeds: for conditions that a page cannot wait for, such as the clipboard. */
export async function eventually(
  what: string,
  holds: () => Promise<boolean>,
  maxWaitMs: number = MAX_WAIT_MS,
): Promise<void> {
  const deadline = Date.now() + maxWaitMs;
  for (let pause = FIRST_PAUSE_MS; !(await holds()); pause = Math.min(2 * pause, LAST_PAUSE_MS)) {
    if (Date.now() > deadline) throw new Error(`Not within ${maxWaitMs / 1000} s: ${what}`);
    await delay(pause);
  }
}

/** Repeats reading a value until it is the expected one: for what a page does shortly after a click or a key. */
export async function eventuallyEqual<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  let last: Value | undefined;
  const isEqual = async () => {
    last = await read();
    return isDeepStrictEqual(last, expected);
  };
  await eventually('the expected value', isEqual).catch((error) => {
    // The difference says more than that the time is over.
    assert.deepEqual(last, expected);
    throw error;
  });
}

/** Fails if something takes longer than it may: a page or an extension host that hangs never answers. */
export function within<Value>(maxWaitMs: number, work: Promise<Value>): Promise<Value> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`No answer within ${maxWaitMs / 1000} s.`)), maxWaitMs);
  return Promise.race([work, limit.promise]).finally(() => clearTimeout(timer));
}
