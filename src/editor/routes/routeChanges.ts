/** Computes a route after a change, for the setting. */
import type { ExtraTrigger, RouteList, RouteRule, RouteSettings } from '../../gateway/routing/routes/routeEntry.ts';

export function withRoute(routes: RouteList, name: string, route: RouteSettings): RouteList {
  return { ...routes, [name]: route };
}

export function withoutRoute(routes: RouteList, name: string): RouteList {
  return Object.fromEntries(Object.entries(routes).filter(([other]) => other !== name));
}

/** Returns the routes that use this one as a target. */
export function usersOf(routes: RouteList, name: string): readonly string[] {
  return Object.entries(routes).flatMap(([other, { use, when = [] }]) => {
    const targets = [...use, ...when.flatMap((rule) => rule.use)];
    return other !== name && targets.includes(name) ? [other] : [];
  });
}

export function withTargets(route: RouteSettings, use: readonly string[]): RouteSettings {
  return { ...route, use: [...use] };
}

/** Removes the member if there are no rules, as for triggers. */
export function withRules({ when: _, ...route }: RouteSettings, when: readonly RouteRule[]): RouteSettings {
  return when.length === 0 ? route : { ...route, when: [...when] };
}

export function withTriggers({ also: _, ...route }: RouteSettings, also: readonly ExtraTrigger[]): RouteSettings {
  return also.length === 0 ? route : { ...route, also: [...also] };
}

/** Moves the item at `index` one place up. */
export function movedUp<Item>(items: readonly Item[], index: number): readonly Item[] {
  const [item] = items.slice(index, index + 1);
  if (item === undefined || index === 0) return items;
  return [...without(items, index).slice(0, index - 1), item, ...without(items, index).slice(index - 1)];
}

export function without<Item>(items: readonly Item[], index: number): readonly Item[] {
  return items.filter((_, place) => place !== index);
}
