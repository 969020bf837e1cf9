import type { highlight } from '../../shared/highlight.ts';

/** Highlighted code, followed by what has arrived since it was last highlighted. */
export interface Highlighted {
  readonly html: string;
  readonly tail: string;
}

/** While code grows, the pause between two passes is this many times the duration of the last one. */
const REST = 10;

/** Highlights growing code without spending more than a tenth of the time on it. */
export class GrowingHighlight {
  readonly #highlight: typeof highlight;
  readonly #now: () => number;
  #code = '';
  #html: string | undefined;
  #restsUntil = 0;

  /** @param now milliseconds of any monotonic clock. */
  constructor(color: typeof highlight, now: () => number) {
    this.#highlight = color;
    this.#now = now;
  }

  next(code: string, language: string, growing: boolean): Highlighted | undefined {
    const started = this.#now();
    if (growing && started < this.#restsUntil && this.#html !== undefined && code.startsWith(this.#code)) {
      return { html: this.#html, tail: code.slice(this.#code.length) };
    }
    this.#html = this.#highlight(code, language);
    this.#code = code;
    this.#restsUntil = started + (this.#now() - started) * REST;
    return this.#html === undefined ? undefined : { html: this.#html, tail: '' };
  }
}
