import type { Model } from './modelCatalog.ts';

/** In tokens. Tools give their small model not only titles, but also web pages and files. */
const MIN_WINDOW = 64_000;

/**
 * Returns the cheapest model that costs less than the main one, for titles and similar tasks; `undefined` if prices do
 * not determine one.
 */
export function smallModel(models: readonly Model[], main: string, minWindow = MIN_WINDOW): string | undefined {
  const priceOf = ({ inputPrice, outputPrice }: Model) =>
    inputPrice === undefined || outputPrice === undefined ? undefined : inputPrice + outputPrice;
  const mainModel = models.find(({ id }) => id === main);
  const limit = (mainModel && priceOf(mainModel)) ?? 0;
  const cheaper = models.flatMap((model) => {
    const price = priceOf(model);
    const fits = (model.contextWindow ?? 0) >= minWindow && model.tools !== false;
    return price !== undefined && price < limit && fits ? [{ id: model.id, price }] : [];
  });
  return cheaper.toSorted((a, b) => a.price - b.price)[0]?.id;
}
