import type { Model } from '../service/modelCatalog.ts';
import type { ConfiguredUpstream } from '../settings/upstreamList.ts';
import { inputCost, outputCost } from '../tokens/price.ts';
import { INSTRUCTION_TOKENS } from './prompt.ts';

/**
 * An hour of typing: nine requests a minute, which is what a fast typist causes, with the answer of a short suggestion.
 * See docs/inline-suggestions.md.
 */
const HOUR = { requests: 540, outputTokens: 45 };

/** Models that cost up to this many times as much as the cheapest one are compared by their time. */
const COMPARABLE = 4;

/** Where suggestions come from: a model of the catalog, or of an upstream that fills in text. */
export type SuggestionModel =
  | { readonly kind: 'chat'; readonly id: string; readonly model: Model | undefined }
  | { readonly kind: 'fillIn'; readonly id: string; readonly upstream: ConfiguredUpstream };

/**
 * @param chosen The name in the settings; empty for the automatic choice.
 * @param firstTokenMs The measured median time to an answer, by model.
 */
export function suggestionModel(
  chosen: string,
  models: readonly Model[],
  upstreams: readonly ConfiguredUpstream[],
  firstTokenMs: ReadonlyMap<string, number>,
): SuggestionModel | undefined {
  const [id = '', ...rest] = chosen.split('/');
  const upstream =
    rest.length === 0 ? undefined : upstreams.find((each) => each.id === id && each.fillIn !== undefined);
  if (upstream !== undefined) return { kind: 'fillIn', id: rest.join('/'), upstream };
  if (chosen !== '') return { kind: 'chat', id: chosen, model: models.find((model) => model.id === chosen) };
  const model = fastestCheap(models, firstTokenMs);
  return model && { kind: 'chat', id: model.id, model };
}

/** The fastest of the cheap models; without measured times, the cheapest that does not reason first. */
function fastestCheap(models: readonly Model[], firstTokenMs: ReadonlyMap<string, number>): Model | undefined {
  const priced = models
    .map((model) => ({ model, cost: hourCost(model, 1500) ?? Number.POSITIVE_INFINITY }))
    .toSorted((a, b) => a.cost - b.cost);
  const [cheapest] = priced;
  if (cheapest === undefined) return undefined;
  const cheap = priced.filter(({ cost }) => cost <= cheapest.cost * COMPARABLE || cost === cheapest.cost);
  const rank = ({ model, cost }: (typeof priced)[number]) =>
    [firstTokenMs.get(model.id) ?? 10_000, model.reasoning === true ? 1 : 0, cost] as const;
  return cheap.toSorted((a, b) => compare(rank(a), rank(b)))[0]?.model;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** The cost of an hour of typing in US dollars, without any cache; undefined if the model has no price. */
export function hourCost(model: Model, contextTokens: number): number | undefined {
  const inputTokens = contextTokens + INSTRUCTION_TOKENS;
  const [input, output] = [inputCost(inputTokens, model), outputCost(HOUR.outputTokens, model, inputTokens)];
  return input === undefined || output === undefined ? undefined : HOUR.requests * (input + output);
}
