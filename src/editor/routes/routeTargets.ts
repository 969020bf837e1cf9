/** The names that a route can contain, with their prices. */
import * as l10n from '@vscode/l10n';
import { formatPrice } from '../../display/money.ts';
import type { RouteList } from '../../gateway/routing/routes/routeEntry.ts';
import type { Model } from '../../service/modelCatalog.ts';
import type { ConfiguredUpstream } from '../settings/upstreamList.ts';
import type { Choice } from './askRoute.ts';

export interface TargetSources {
  readonly models: readonly Model[];
  readonly upstreams: readonly ConfiguredUpstream[];
  readonly routes: RouteList;
}

/** @param route The route being edited, which cannot use itself. */
export function targetChoices({ models, upstreams, routes }: TargetSources, route?: string): Choice<string>[] {
  const named = upstreams.flatMap(({ id, models: patterns }) =>
    patterns.filter((pattern) => !pattern.includes('*')).map((model) => `${id}/${model}`),
  );
  const others = Object.keys(routes).filter((name) => name !== route);
  return [
    ...models.map((model) => ({ label: `$(sparkle) ${model.id}`, description: pricesText(model), value: model.id })),
    ...named.map((name) => ({ label: `$(server) ${name}`, value: name })),
    ...others.map((name) => ({
      label: `$(type-hierarchy-sub) ${name}`,
      description: l10n.t('another route'),
      value: name,
    })),
  ];
}

/** A text such as “$3.00 in, $15.00 out per 1M tokens”; empty if the prices are unknown. */
export function pricesText({ inputPrice, outputPrice }: Pick<Model, 'inputPrice' | 'outputPrice'>): string {
  if (inputPrice === undefined || outputPrice === undefined) return '';
  return l10n.t('{0} in, {1} out per 1M tokens', formatPrice(inputPrice), formatPrice(outputPrice));
}
