/** The names that a route can use, with their prices. */
import * as l10n from '@vscode/l10n';
import { formatPrice } from '../../display/money.ts';
import type { Model } from '../../service/modelCatalog.ts';
import type { ConfiguredUpstream } from '../../settings/upstreamList.ts';
import type { RouteTarget } from './protocol.ts';

interface TargetSources {
  readonly models: readonly Model[];
  readonly upstreams: readonly Pick<ConfiguredUpstream, 'id' | 'models'>[];
  readonly aliases: Readonly<Record<string, string>>;
}

/** The models of the catalog, those that upstreams name, and the aliases. The page adds its routes. */
export function routeTargets({ models, upstreams, aliases }: TargetSources): readonly RouteTarget[] {
  const named = upstreams.flatMap(({ id, models: patterns }) =>
    patterns.filter((pattern) => !pattern.includes('*')).map((model) => `${id}/${model}`),
  );
  return [
    ...models.map((model) => ({ name: model.id, detail: pricesText(model) })),
    ...named.map((name) => ({ name, detail: '' })),
    ...Object.entries(aliases).map(([name, model]) => ({ name, detail: l10n.t('alias for {0}', model) })),
  ];
}

/** A text such as “$3.00 in, $15.00 out per 1M tokens”; empty if the prices are unknown. */
function pricesText({ inputPrice, outputPrice }: Pick<Model, 'inputPrice' | 'outputPrice'>): string {
  if (inputPrice === undefined || outputPrice === undefined) return '';
  return l10n.t('{0} in, {1} out per 1M tokens', formatPrice(inputPrice), formatPrice(outputPrice));
}
