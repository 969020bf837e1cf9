/** The prices of the service in `billingService.ts`, and the usage of each of its answers. */
export const MODEL = 'bench-model';
/** US dollars per 1M tokens. */
export const PRICES = { input: 1, output: 10 };
export const USAGE = { prompt_tokens: 40, completion_tokens: 6, total_tokens: 46 };
/** Cost of one answer, in billionths of a US dollar. */
export const COST = USAGE.prompt_tokens * PRICES.input * 1000 + USAGE.completion_tokens * PRICES.output * 1000;
