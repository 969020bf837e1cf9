import type { ByteSink } from './byteSink.ts';
import { awaitEnd, isTurnOver, MAX_WORK_MS, MIN_WORK_MS, nextTurn, turn, workInTurn } from './turns.ts';

/**
 * A connection delivers up to this many bytes at once four times over. Even of thousands of tiny events, so many take
 * only some tens of milliseconds.
 */
const PIECE_BYTES = 16 * 1024;

/**
 * Shorter chunks that arrive at once, such as the events of a burst, are joined, because each piece has its costs up to
 * the write to the client. Copying longer ones would cost more.
 */
const SHORT_BYTES = 1024;
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
    if (chunk.length >= SHORT_BYTES || count === MAX_GATHERED) this.#addGathered();
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
    if (this.#isHeld || piece.length > PIECE_BYTES || turn.workedMs >= MAX_WORK_MS) {
      this.#wait(piece);
      return;
    }
    const began = performance.now();
    to.data(piece);
    turn.workedMs += performance.now() - began;
    if (turn.workedMs >= MIN_WORK_MS) awaitEnd();
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
    if (first.length <= PIECE_BYTES) this.#waiting.shift();
    else this.#waiting[0] = first.subarray(PIECE_BYTES);
    return first.subarray(0, PIECE_BYTES);
  }

  #setHeld(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#hold(isHeld);
  }
}
