/** Longer bodies are read and written in steps, each in a separate turn of the event loop. */
const LONG_BYTES = 256 * 1024;

/** Even reading the bytes of longer bodies once takes long enough to be a step. */
const HUGE_BYTES = 2 * 1024 * 1024;

/** Between two steps, the event loop accepts a connection and reads its request. These are two rounds. */
const ROUNDS_BETWEEN = 2;

/** How long answers may be processed in a turn before they wait for the next one. In milliseconds. */
const MAX_WORK_MS = 20;

const waiting: (() => void)[] = [];

let workedMs = 0;

export function isLong({ length }: Uint8Array): boolean {
  return length >= LONG_BYTES;
}

export function isHuge({ length }: Uint8Array): boolean {
  return length >= HUGE_BYTES;
}

/**
 * Resolves when the event loop has processed everything else. Callers continue one at a time, however many wait, so
 * that other requests wait for one step at most.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) passRound(ROUNDS_BETWEEN);
  });
}

function passRound(rounds: number): void {
  setImmediate(() => {
    if (rounds > 1) {
      passRound(rounds - 1);
      return;
    }
    waiting[0]?.();
    waiting.shift();
    if (waiting.length > 0) passRound(ROUNDS_BETWEEN);
  });
}

/**
 * Does work on a part of an answer. A connection that has received megabytes delivers all of them in one turn, and so do
 * all others.
 * @returns whether more work should wait for {@link nextTurn}.
 */
export function workInTurn(work: () => void): boolean {
  if (workedMs === 0) {
    setImmediate(() => {
      workedMs = 0;
    });
  }
  const began = performance.now();
  work();
  workedMs += performance.now() - began;
  return workedMs >= MAX_WORK_MS;
}
