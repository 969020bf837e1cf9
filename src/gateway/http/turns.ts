/**
 * Bodies from this length on are read and written step by step, each in a turn of its own of the event loop: all of it at
 * once takes long enough for others to notice. Shorter ones cost no turns.
 */
const LONG_BYTES = 256 * 1024;

/** From this length on even a walk over the bytes takes as long. */
const HUGE_BYTES = 2 * 1024 * 1024;

/** Between two turns the loop accepts a connection and reads what it sends, which are two rounds. */
const ROUNDS_BETWEEN = 2;

const waiting: (() => void)[] = [];

export function isLong({ length }: Uint8Array): boolean {
  return length >= LONG_BYTES;
}

export function isHuge({ length }: Uint8Array): boolean {
  return length >= HUGE_BYTES;
}

/**
 * Resolves when the event loop has served everybody else. However many wait, they go on one at a time, so that others wait
 * for no more than one step of one of them.
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
