import type { ByteSink } from './byteSink.ts';
import { endOfLastEvent } from './eventBounds.ts';

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

/** How long work waits for connections that are being accepted, and then does not wait for more. In milliseconds. */
const MAX_ACCEPTING_MS = 50;

const waiting: (() => void)[] = [];

/** For how many rounds more connections are expected. */
let acceptingRounds = 0;
let acceptingSince = Number.NEGATIVE_INFINITY;

/** How long answers were processed in this turn of the event loop, all together. */
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
  return workedMs >= MAX_WORK_MS;
}

/** Processes a part of an answer. Its time counts for all answers together, because one turn may serve all of them. */
export function workInTurn<Part, Result>(work: (part: Part) => Result, part: Part): Result {
  const began = performance.now();
  const result = work(part);
  workedMs += performance.now() - began;
  if (workedMs >= MIN_WORK_MS) awaitEnd();
  return result;
}

/** Must be called when this turn has at least {@link MIN_WORK_MS}. */
function awaitEnd(): void {
  if (isEndAwaited) return;
  isEndAwaited = true;
  afterRounds(1, endTurn);
}

/** Like {@link workInTurn}, but in a later turn if this one is over. Returns before the work is done in that case. */
export function workInSomeTurn(work: () => void): void {
  if (workedMs < MAX_WORK_MS) workInTurn(work, undefined);
  else void nextTurn().then(() => workInTurn(work, undefined));
}

function endTurn(): void {
  workedMs = 0;
  isEndAwaited = false;
}

/**
 * A connection delivers up to this many bytes at once four times over. Even of thousands of tiny events, so many take
 * only some tens of milliseconds.
 */
const PIECE_BYTES = 16 * 1024;

/** A piece ends with an event if one ends in its last bytes, so that no reader has to wait for the rest of an event. */
const MAX_CUT_BYTES = 1024;

/**
 * Shorter chunks that arrive at once, such as the events of a burst, are joined, because each piece has its costs up to
 * the write to the client. Copying longer ones would cost more.
 */
const SHORT_PIECE_BYTES = 1024;
const MAX_GATHERED = 1024;

/**
 * Passes on the bytes of one answer in pieces. When the answers together have used up the time of a turn of the event
 * loop, the rest waits for a later turn, and so does the sender.
 */
export class PacedPieces {
  /** Receives the pieces. May call {@link pause} or {@link drop}. */
  to: ByteSink;
  readonly #hold: (isHeld: boolean) => void;
  readonly #waiting: Buffer[] = [];
  /** Chunks that are joined when everything has been read from the connection. */
  #gathered: Buffer[] = [];
  #isHeld = false;
  #isPaused = false;
  #isScheduled = false;
  #onEnd: (() => void) | undefined;

  /** @param hold called with true when the sender must stop sending, and with false when it may go on. */
  constructor(to: ByteSink, hold: (isHeld: boolean) => void) {
    this.to = to;
    this.#hold = hold;
  }

  push(chunk: Buffer): void {
    const count = this.#gathered.push(chunk);
    if (chunk.length >= SHORT_PIECE_BYTES || count === MAX_GATHERED) this.#addGathered();
    else if (count === 1) process.nextTick(this.#addGathered);
  }

  readonly #addGathered = (): void => {
    const gathered = this.#gathered;
    const [first] = gathered;
    if (first === undefined) return;
    this.#gathered = [];
    const piece = gathered.length === 1 ? first : Buffer.concat(gathered);
    let { to } = this;
    while (to.direct !== undefined) to = to.direct;
    if (this.#isHeld || piece.length > PIECE_BYTES || workedMs >= MAX_WORK_MS) {
      this.#wait(piece);
      return;
    }
    const began = performance.now();
    to.data(piece);
    workedMs += performance.now() - began;
    if (workedMs >= MIN_WORK_MS) awaitEnd();
  };

  #wait(chunk: Buffer): void {
    this.#waiting.push(chunk);
    if (!this.#isHeld) this.#goOn();
  }

  /** Passes on nothing more until {@link resume} is called. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#isHeld && !this.#isScheduled) this.#goOn();
  }

  /** Calls back when everything was passed on. Nothing may be pushed after this. */
  end(onEnd: () => void): void {
    this.#addGathered();
    if (this.#waiting.length === 0) onEnd();
    else this.#onEnd = onEnd;
  }

  /** Passes on nothing more, and never calls back. */
  drop(): void {
    this.#gathered = [];
    this.#waiting.length = 0;
    this.#onEnd = undefined;
  }

  #goOn(): void {
    while (this.#waiting.length > 0 && !this.#isPaused) {
      if (isTurnOver()) {
        void this.#goOnLater();
        return;
      }
      workInTurn((piece) => this.to.data(piece), this.#take());
    }
    this.#setHeld(this.#waiting.length > 0);
    if (this.#waiting.length > 0) return;
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    onEnd?.();
  }

  async #goOnLater(): Promise<void> {
    this.#isScheduled = true;
    this.#setHeld(true);
    await nextTurn();
    this.#isScheduled = false;
    this.#goOn();
  }

  #take(): Buffer {
    const [first = Buffer.alloc(0)] = this.#waiting;
    const end = endOfPiece(first);
    if (end === first.length) this.#waiting.shift();
    else this.#waiting[0] = first.subarray(end);
    return end === first.length ? first : first.subarray(0, end);
  }

  #setHeld(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#hold(isHeld);
  }
}

function endOfPiece(bytes: Buffer): number {
  if (bytes.length <= PIECE_BYTES) return bytes.length;
  const from = PIECE_BYTES - MAX_CUT_BYTES;
  return from + (endOfLastEvent(bytes.subarray(from, PIECE_BYTES)) || MAX_CUT_BYTES);
}
