/** The names that a route can use, with their prices, and what the gateway knows against them. */
import * as l10n from '@vscode/l10n';
import { formatPrice } from '../../display/money.ts';
import { formatClock, formatClockSeconds } from '../../display/time.ts';
import type { HealthProblem } from '../../gateway/core/healthProblem.ts';
import { offersOf } from '../../gateway/routing/offers.ts';
import type { KnownNames } from '../../gateway/routing/routes/routeErrors.ts';
import type { Model } from '../../service/modelCatalog.ts';
import type { ConfiguredUpstream } from '../../settings/upstreamList.ts';
import type { RouteTarget } from './protocol.ts';
import { aliasesOf, membersOf } from './routeTrial.ts';

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

/** Returns the problems of those names that have any, in sentences. */
export function healthTexts(
  names: Iterable<string>,
  known: KnownNames,
  problems: readonly HealthProblem[],
): Readonly<Record<string, string>> {
  if (problems.length === 0) return {};
  const [members, aliases] = [membersOf(known), aliasesOf(known)];
  const texts = [...new Set(names)].map((name) => {
    const offers = offersOf(name, members, aliases);
    const found = offers.flatMap(({ member: { id }, model }) => {
      const own = problems.filter((each) => each.upstream === id && (each.model ?? model) === model);
      const text = own.map(problemText).join(' ');
      return text === '' ? [] : [offers.length > 1 ? `${id}: ${text}` : text];
    });
    return [name, found.join(' ')] as const;
  });
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

const PAUSE_TEXTS: Readonly<Record<Exclude<HealthProblem['reason'], 'failing'>, (time: string) => string>> = {
  rate: (time) => l10n.t('Paused until {0} after a rate limit.', time),
  gone: (time) => l10n.t('Paused until {0}: the model was not found.', time),
  credit: (time) => l10n.t('Paused until {0}: out of credit.', time),
  auth: (time) => l10n.t('Paused until {0}: the key was rejected.', time),
};

function problemText({ reason, since, until = 0 }: HealthProblem): string {
  if (reason === 'failing') return l10n.t('Failing since {0}.', formatClock(since));
  return PAUSE_TEXTS[reason](formatClockSeconds(until));
}
