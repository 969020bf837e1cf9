import type { ExchangeRecord } from '../core/exchangeRecord.ts';

/** Assumed output tokens of a model without an answer so far. */
const FIRST_GUESS = 1_000;
/** Weight of the newest answer in the moving average. */
const WEIGHT = 0.2;
const MAX_MODELS = 256;

/** The members of a record about the tokens of its request. */
export type SettledRecord = Pick<ExchangeRecord, 'queueMs' | 'usage' | 'usageIsEstimated' | 'attempts'>;

/** Returns the tokens of all attempts, or `undefined` if the request was never sent. */
export function usedTokens({ queueMs, usage, attempts = [] }: SettledRecord): number | undefined {
  if (queueMs === undefined) return undefined;
  const usages = [{ usage }, ...attempts].map((each) => each.usage);
  return usages.reduce((sum, each) => sum + (each?.inputTokens ?? 0) + (each?.outputTokens ?? 0), 0);
}

/** Usual output tokens of each model: an exponential moving average, in which recent answers weigh more. */
export class UsualOutput {
  readonly #averages = new Map<string, number>();

  tokensOf(request: {
    readonly model: string;
    readonly inputTokens: number;
    readonly maxOutputTokens?: number | undefined;
  }): number {
    const { model, inputTokens, maxOutputTokens = Number.POSITIVE_INFINITY } = request;
    return inputTokens + Math.min(maxOutputTokens, Math.ceil(this.#averages.get(model) ?? FIRST_GUESS));
  }

  learnFrom(model: string, { usage, usageIsEstimated = false }: SettledRecord): void {
    if (usage !== undefined && !usageIsEstimated) this.#learn(model, usage.outputTokens);
  }

  #learn(model: string, outputTokens: number): void {
    const before = this.#averages.get(model) ?? outputTokens;
    if (this.#averages.size >= MAX_MODELS) this.#averages.clear();
    this.#averages.set(model, before + (outputTokens - before) * WEIGHT);
  }
}
