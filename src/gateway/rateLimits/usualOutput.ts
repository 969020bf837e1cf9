/** Assumed output tokens of a model without an answer so far. */
const FIRST_GUESS = 1_000;
/** Weight of the newest answer in the moving average. */
const WEIGHT = 0.2;
const MAX_MODELS = 256;

/** Usual output tokens of each model: an exponential moving average, in which recent answers weigh more. */
export class UsualOutput {
  readonly #averages = new Map<string, number>();

  of(model: string): number {
    return Math.ceil(this.#averages.get(model) ?? FIRST_GUESS);
  }

  learn(model: string, outputTokens: number): void {
    const before = this.#averages.get(model) ?? outputTokens;
    if (this.#averages.size >= MAX_MODELS) this.#averages.clear();
    this.#averages.set(model, before + (outputTokens - before) * WEIGHT);
  }
}
