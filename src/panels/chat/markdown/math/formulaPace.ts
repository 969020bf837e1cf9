/** Draws one formula. Returns the number of its elements; 0 if it could not be drawn. */
export type DrawFormula = () => number;

/** Elements of formulas that are laid out in one frame without a noticeable pause. */
const ELEMENTS_PER_FRAME = 3500;

/** Time for drawing formulas before the next frame. Those that cannot be drawn take time too. In milliseconds. */
const MS_PER_FRAME = 30;

/**
 * Draws formulas immediately, and those beyond a number of elements, or a time, in one of the next frames. The layout
 * afterwards, which takes as long as the drawing, is limited by the elements.
 */
export class FormulaPace {
  readonly #nextFrame: (callback: () => void) => void;
  readonly #now: () => number;
  readonly #waiting = new Set<DrawFormula>();
  #elements = ELEMENTS_PER_FRAME;
  #milliseconds = MS_PER_FRAME;
  #isFrameAsked = false;

  /**
   * @param nextFrame calls a function before the next frame.
   * @param now returns a time in milliseconds.
   */
  constructor(nextFrame: (callback: () => void) => void, now: () => number) {
    this.#nextFrame = nextFrame;
    this.#now = now;
  }

  /** @returns a function that cancels the drawing if it still waits. */
  draw(formula: DrawFormula): () => void {
    if (this.#waiting.size === 0 && this.#isTimeLeft()) this.#drawNow(formula);
    else this.#waiting.add(formula);
    this.#askFrame();
    return () => this.#waiting.delete(formula);
  }

  #isTimeLeft(): boolean {
    return this.#elements > 0 && this.#milliseconds > 0;
  }

  #drawNow(formula: DrawFormula): void {
    const start = this.#now();
    this.#elements -= formula();
    this.#milliseconds -= this.#now() - start;
  }

  #askFrame(): void {
    if (this.#isFrameAsked) return;
    this.#isFrameAsked = true;
    this.#nextFrame(() => this.#begin());
  }

  #begin(): void {
    this.#isFrameAsked = false;
    this.#elements = ELEMENTS_PER_FRAME;
    this.#milliseconds = MS_PER_FRAME;
    for (const formula of this.#waiting) {
      if (!this.#isTimeLeft()) break;
      this.#waiting.delete(formula);
      this.#drawNow(formula);
    }
    if (this.#waiting.size > 0) this.#askFrame();
  }
}
