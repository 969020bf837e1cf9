/** Longer bodies are read and written in steps, each in a separate turn of the event loop. */
const LONG_BYTES = 256 * 1024;

/** Even reading the bytes of longer bodies once takes long enough to be a step. */
const HUGE_BYTES = 2 * 1024 * 1024;

/** Between two steps, the event loop accepts a connection and reads its request. These are two rounds. */
const ROUNDS_BETWEEN = 2;

/** How long answers may be processed in a turn before they wait for the next one. In milliseconds. */
const MAX_WORK_MS = 20;

/** Shorter work is added to that of the next turn, which costs less than to wait for the end of this one. */
const MIN_WORK_MS = 1;

const waiting: (() => void)[] = [];

let workedMs = 0;
let isEndAwaited = false;

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

/** Whether answers were processed for so long in this turn that the rest must wait for {@link nextTurn}. */
export function isTurnOver(): boolean {
  return workedMs >= MAX_WORK_MS;
}

/** Processes a part of an answer. Its time counts for all answers together, because one turn may serve all of them. */
export function workInTurn<Part>(work: (part: Part) => void, part: Part): void {
  const began = performance.now();
  work(part);
  workedMs += performance.now() - began;
  if (workedMs < MIN_WORK_MS || isEndAwaited) return;
  isEndAwaited = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  workedMs = 0;
  isEndAwaited = false;
}
