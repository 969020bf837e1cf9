import { estimateTokens } from './textEstimate.ts';

/** In characters. A longer tail is counted up to its last space, or entirely if it has none. */
const TAIL_LENGTH = 512;

/** Estimates the tokens of a text that arrives in pieces. How it is split makes no significant difference. */
export class TextMeter {
  #settled = 0;
  #tail = '';

  add(text: string): void {
    this.#tail += text;
    if (this.#tail.length <= TAIL_LENGTH) return;
    const end = this.#tail.lastIndexOf(' ');
    const cut = end > 0 ? end : this.#tail.length;
    this.#settled += estimateTokens(this.#tail.slice(0, cut));
    this.#tail = this.#tail.slice(cut);
  }

  /** Whole tokens so far. */
  get tokens(): number {
    return this.#settled + estimateTokens(this.#tail);
  }
}
