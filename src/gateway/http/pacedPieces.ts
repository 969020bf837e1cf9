import { isTurnOver, nextTurn, workIfInTurn, workInTurn } from './turns.ts';

/**
 * A connection delivers up to this many bytes at once four times over. Even of thousands of tiny events, so many take
 * only some tens of milliseconds.
 */
const PIECE_BYTES = 16 * 1024;

/** No event is shorter. Shorter chunks that arrive at once are joined, because each write to a client has its costs. */
const TINY_BYTES = 16;
const MAX_GATHERED = 1024;

/**
 * Processes the bytes of one answer in pieces. When the answers together have used up the time of a turn of the event
 * loop, the rest waits for a later turn, and so does the sender.
 */
export class PacedPieces {
  readonly #process: (piece: Buffer) => void;
  readonly #hold: (isHeld: boolean) => void;
  readonly #waiting: Buffer[] = [];
  /** Chunks that are joined at the end of the current step, from the first tiny one on. */
  #gathered: Buffer[] = [];
  #isHeld = false;
  #isPaused = false;
  #isScheduled = false;
  #onEnd: (() => void) | undefined;

  /**
   * @param process may call {@link pause} or {@link drop}.
   * @param hold called with true when the sender must stop sending, and with false when it may go on.
   */
  constructor(process: (piece: Buffer) => void, hold: (isHeld: boolean) => void) {
    this.#process = process;
    this.#hold = hold;
  }

  push(chunk: Buffer): void {
    if (chunk.length < TINY_BYTES || this.#gathered.length > 0) this.#gather(chunk);
    else if (this.#isHeld || chunk.length > PIECE_BYTES || !workIfInTurn(this.#process, chunk)) this.#wait(chunk);
  }

  #gather(chunk: Buffer): void {
    if (this.#gathered.length === 0) process.nextTick(this.#addGathered);
    this.#gathered.push(chunk);
    if (this.#gathered.length >= MAX_GATHERED) this.#addGathered();
  }

  readonly #addGathered = (): void => {
    const [first, ...others] = this.#gathered;
    if (first === undefined) return;
    const joined = others.length === 0 ? first : Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#wait(joined);
  };

  #wait(chunk: Buffer): void {
    this.#waiting.push(chunk);
    if (!this.#isHeld) this.#goOn();
  }

  /** Processes nothing more until {@link resume} is called. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#isHeld && !this.#isScheduled) this.#goOn();
  }

  /** Calls back when everything has been processed. Nothing may be pushed after this. */
  end(onEnd: () => void): void {
    if (this.#gathered.length > 0) this.#addGathered();
    if (this.#waiting.length === 0) onEnd();
    else this.#onEnd = onEnd;
  }

  /** Processes nothing more, and never calls back. */
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
      workInTurn(this.#process, this.#take());
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
