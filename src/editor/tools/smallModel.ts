import type { Model } from '../../service/modelCatalog.ts';

/** Tools also give pages and files to their small model, not titles alone. Tokens. */
const MIN_WINDOW = 64_000;

/** The cheapest model that costs less than the main one, for titles and the like; `undefined` where prices name none. */
export function smallModel(models: readonly Model[], main: string): string | undefined {
  const priceOf = ({ inputPrice, outputPrice }: Model) =>
    inputPrice === undefined || outputPrice === undefined ? undefined : inputPrice + outputPrice;
  const mainModel = models.find(({ id }) => id === main);
  const limit = (mainModel && priceOf(mainModel)) ?? 0;
  const cheaper = models.flatMap((model) => {
    const price = priceOf(model);
    const fits = (model.contextWindow ?? 0) >= MIN_WINDOW && model.tools !== false;
    return price !== undefined && price < limit && fits ? [{ id: model.id, price }] : [];
  });
  return cheaper.toSorted((a, b) => a.price - b.price)[0]?.id;
}
