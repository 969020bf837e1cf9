/** The routes of the settings as models that can be chosen in the chat. */
import { bestMatch, ModelPatterns } from '../gateway/core/modelPattern.ts';
import { offersOfAll } from '../gateway/routing/offers.ts';
import { resolveEntry } from '../gateway/routing/resolvedEntry.ts';
import type { KnownNames } from '../gateway/routing/routes/routeErrors.ts';
import { type NamedRoute, RouteTable } from '../gateway/routing/routes/routeTable.ts';
import type { Model } from '../service/modelCatalog.ts';
import type { FlatPrices } from '../service/modelPrices.ts';
import { readRouteList } from './routeList.ts';
import type { ConfiguredUpstream } from './upstreamList.ts';

interface RouteSources {
  /** The names of the upstreams, of which those of the settings are also in `upstreams`. */
  readonly known: KnownNames;
  readonly upstreams: readonly ConfiguredUpstream[];
  readonly catalog: readonly Model[];
}

type Target = Omit<Model, 'raw'>;

/**
 * Returns a model for each route. Its prices are the highest of all models that it can ask, so that a question never
 * costs more than was expected of it. Returns none if the setting has an error.
 */
export function routeModels(written: unknown, { known, upstreams, catalog }: RouteSources): readonly Model[] {
  const { routes } = readRouteList(written, known);
  if (routes === undefined) return [];
  const aliases = new Map(Object.entries(known.aliases));
  const table = new RouteTable(routes, aliases);
  const members = new Map(known.upstreams.map(({ id, models }) => [id, { id, models: new ModelPatterns(models) }]));
  const prices = new Map(upstreams.map((each) => [each.id, resolveEntry(each, {}).settings.prices]));
  const targetOf = (id: string, model: string): Target => {
    if (!prices.has(id)) return catalog.find((listed) => listed.id === model) ?? { id: model };
    return { id: `${id}/${model}`, ...bestMatch(prices.get(id) ?? {}, model) };
  };
  return Object.keys(routes).flatMap((name) => {
    const route = table.find(name);
    if (route === undefined) return [];
    const offers = offersOfAll(table.reachable(route), members, aliases);
    return toModel(
      route,
      offers.map(({ member, model }) => targetOf(member.id, model)),
      routes[name],
    );
  });
}

function toModel(route: NamedRoute, targets: readonly Target[], raw: unknown): Model {
  const contextWindow = windowOf(route, targets);
  const lengths = targets.flatMap(({ maxOutputTokens }) => maxOutputTokens ?? []);
  return {
    id: route.name,
    targets: targets.map(({ id }) => id),
    ...highestPrices(targets),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(lengths.length > 0 && { maxOutputTokens: Math.min(...lengths) }),
    ...ability(targets, 'tools'),
    ...ability(targets, 'images'),
    ...ability(targets, 'reasoning'),
    raw,
  };
}

/** The window of the first model, unless longer requests go to another one. */
function windowOf({ triggers, when }: NamedRoute, targets: readonly Target[]): number | undefined {
  const takesLonger = triggers.has('overflow') || when.some(({ tokensAbove }) => tokensAbove !== undefined);
  if (!takesLonger) return targets[0]?.contextWindow;
  const known = targets.flatMap(({ contextWindow }) => contextWindow ?? []);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Models without prices count as free, such as those on this machine. Prices of long prompts count like the others. */
function highestPrices(targets: readonly Target[]): FlatPrices {
  const all = targets.flatMap(({ longPrompts = [], ...target }) => [target, ...longPrompts]);
  const names = ['inputPrice', 'outputPrice', 'cachedInputPrice', 'cacheWritePrice', 'reasoningPrice', 'requestPrice'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const known = all.flatMap((prices) => prices[name as keyof FlatPrices] ?? []);
      return known.length === 0 ? [] : [[name, Math.max(...known)]];
    }),
  );
}

/** The router skips models that lack what a request needs, so one that has it is enough. */
function ability<Name extends 'tools' | 'images' | 'reasoning'>(targets: readonly Target[], name: Name) {
  if (targets.some((target) => target[name] === true)) return { [name]: true };
  return targets.length > 0 && targets.every((target) => target[name] === false) ? { [name]: false } : {};
}
