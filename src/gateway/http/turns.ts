/** Longer bodies are read and written in steps, each in a separate turn of the event loop. */
const LONG_BYTES = 256 * 1024;

/** Even reading the bytes of longer bodies once takes long enough to be a step. */
const HUGE_BYTES = 2 * 1024 * 1024;

/** Between two steps, the event loop accepts a connection and reads its request. These are two rounds. */
const ROUNDS_BETWEEN = 2;

/** How long answers may be processed in a turn before they wait for the next one. In milliseconds. */
export const MAX_WORK_MS = 20;

/** Shorter work is added to that of the next turn, which costs less than to wait for the end of this one. */
export const MIN_WORK_MS = 1;

/** How long work waits for connections that are being accepted, and then does not wait for more. In milliseconds. */
const MAX_ACCEPTING_MS = 50;

const waiting: (() => void)[] = [];

/** For how many rounds more connections are expected. */
let acceptingRounds = 0;
let acceptingSince = Number.NEGATIVE_INFINITY;

/** How long answers were processed in this turn of the event loop, all together. */
export const turn = { workedMs: 0 };
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
    if (waiting.length === 1) afterRounds(ROUNDS_BETWEEN, continueNext);
  });
}

function continueNext(): void {
  waiting[0]?.();
  waiting.shift();
  if (waiting.length > 0) afterRounds(ROUNDS_BETWEEN, continueNext);
}

/**
 * Must be called for each connection that a server accepts. The event loop accepts only one in a round, and a probe may
 * wait behind hundreds, so work waits until a round has accepted none.
 */
export function accepted(): void {
  if (acceptingRounds === 0) setImmediate(endRound);
  acceptingRounds = 2;
}

/** Ends the round of a connection, which may have begun before it was accepted, and then the next one. */
function endRound(): void {
  acceptingRounds -= 1;
  if (acceptingRounds > 0) setImmediate(endRound);
}

/** Whether work waits for connections. In a flood of them, it gets half of the time. */
function isAccepting(): boolean {
  if (acceptingRounds === 0) return false;
  const now = performance.now();
  if (now - acceptingSince >= 2 * MAX_ACCEPTING_MS) acceptingSince = now;
  return now - acceptingSince < MAX_ACCEPTING_MS;
}

/** Calls `then` after these rounds of the event loop, or later if connections are waiting. */
function afterRounds(rounds: number, then: () => void): void {
  setImmediate(() => {
    if (rounds > 1 || isAccepting()) afterRounds(Math.max(1, rounds - 1), then);
    else then();
  });
}

/** Whether answers were processed for so long in this turn that the rest must wait for {@link nextTurn}. */
export function isTurnOver(): boolean {
  return turn.workedMs >= MAX_WORK_MS;
}

/** Processes a part of an answer. Its time counts for all answers together, because one turn may serve all of them. */
export function workInTurn<Part, Result>(work: (part: Part) => Result, part: Part): Result {
  const began = performance.now();
  const result = work(part);
  turn.workedMs += performance.now() - began;
  if (turn.workedMs >= MIN_WORK_MS) awaitEnd();
  return result;
}

/** Must be called when {@link turn} counts at least {@link MIN_WORK_MS}. */
export function awaitEnd(): void {
  if (isEndAwaited) return;
  isEndAwaited = true;
  afterRounds(1, endTurn);
}

/** Like {@link workInTurn}, but in a later turn if this one is over. Returns before the work is done in that case. */
export function workInSomeTurn(work: () => void): void {
  if (turn.workedMs < MAX_WORK_MS) workInTurn(work, undefined);
  else void nextTurn().then(() => workInTurn(work, undefined));
}

function endTurn(): void {
  turn.workedMs = 0;
  isEndAwaited = false;
}
