/** Errors in routes that can only be found when the upstreams are known: circular references and unknown names. */
import { matchesAny } from '../../core/modelPattern.ts';
import { quotedList, type RouteList, type RouteSettings } from './routeEntry.ts';

export interface RouteError {
  /** For example, `routes.coding.use.0`. */
  readonly path: string;
  readonly value: string;
  /**
   * `circle`: refers back to its own route. `unknown`: no upstream offers the name. `taken`: the name is also an alias.
   */
  readonly kind: 'circle' | 'unknown' | 'taken';
  /** The names that are valid at this place. Patterns contain a `*`. Empty for a circular reference. */
  readonly allowed: readonly string[];
}

export interface KnownNames {
  readonly upstreams: readonly { readonly id: string; readonly models: readonly string[] }[];
  readonly aliases: Readonly<Record<string, string>>;
}

/** Finds aliases that refer to neither a route nor an offered model. */
export function findAliasErrors(routes: RouteList, known: KnownNames): readonly RouteError[] {
  return Object.entries(known.aliases).flatMap(([name, value]): RouteError[] => {
    if (Object.hasOwn(routes, value) || isOffered(value, known)) return [];
    // An alias cannot stand for another alias.
    const allowed = offeredNames(routes, { ...known, aliases: {} });
    return [{ path: `aliases.${name}`, value, kind: 'unknown', allowed }];
  });
}

/** Finds errors in the order in which the routes are written. Returns an empty array if all routes can be used. */
export function findRouteErrors(routes: RouteList, known: KnownNames): readonly RouteError[] {
  return Object.entries(routes).flatMap(([name, route]) => {
    const path = `routes.${name}`;
    const taken: RouteError[] = Object.hasOwn(known.aliases, name)
      ? [{ path, value: name, kind: 'taken', allowed: [] }]
      : [];
    const named = namesIn(route, path);
    return [...taken, ...named.flatMap((place) => errorAt(place, name, routes, known))];
  });
}

/** Returns a message in English, for logs and command lines. */
export function describeRouteError({ path, value, kind, allowed }: RouteError): string {
  const name = JSON.stringify(value);
  if (kind === 'circle') return `${path}: ${name} refers back to this route. A route cannot use itself.`;
  if (kind === 'taken') return `${path}: ${name} is also the name of an alias. Rename one of them.`;
  return `${path}: No upstream offers ${name}. Use ${quotedList(allowed)}.`;
}

interface NamePlace {
  readonly path: string;
  readonly value: string;
}

function namesIn({ use, when = [] }: RouteSettings, path: string): NamePlace[] {
  const listed = (names: readonly string[], above: string) =>
    names.map((value, index) => ({ path: `${above}.use.${index}`, value }));
  return [...listed(use, path), ...when.flatMap((rule, index) => listed(rule.use, `${path}.when.${index}`))];
}

function errorAt({ path, value }: NamePlace, route: string, routes: RouteList, known: KnownNames): RouteError[] {
  const leadsBack = (name: string) => leadsTo(name, route, routes, known.aliases, new Set());
  if (leadsBack(value)) return [{ path, value, kind: 'circle', allowed: [] }];
  const model = behindAlias(value, routes, known.aliases);
  if (Object.hasOwn(routes, model) || isOffered(model, known)) return [];
  const allowed = offeredNames(routes, known).filter((name) => !leadsBack(name));
  return [{ path, value, kind: 'unknown', allowed }];
}

function leadsTo(
  name: string,
  target: string,
  routes: RouteList,
  aliases: KnownNames['aliases'],
  seen: Set<string>,
): boolean {
  const found = behindAlias(name, routes, aliases);
  if (found === target) return true;
  const route = Object.hasOwn(routes, found) ? routes[found] : undefined;
  if (route === undefined || seen.has(found)) return false;
  seen.add(found);
  return namesIn(route, '').some(({ value }) => leadsTo(value, target, routes, aliases, seen));
}

/** A route takes precedence over an alias of the same name. */
function behindAlias(name: string, routes: RouteList, aliases: KnownNames['aliases']): string {
  return Object.hasOwn(routes, name) || !Object.hasOwn(aliases, name) ? name : (aliases[name] ?? name);
}

/** A name can start with an upstream's ID, which then counts as offered whatever model follows. */
function isOffered(name: string, { upstreams }: KnownNames): boolean {
  const isChosen = upstreams.some(({ id }) => name.startsWith(`${id}/`) && name.length > id.length + 1);
  return isChosen || upstreams.some(({ models }) => matchesAny(models, name));
}

function offeredNames(routes: RouteList, { upstreams, aliases }: KnownNames): string[] {
  const models = upstreams.flatMap(({ models: patterns }) => patterns.filter((pattern) => pattern !== '*'));
  const chosen = upstreams.map(({ id }) => `${id}/*`);
  return [...new Set([...chosen, ...models, ...Object.keys(aliases), ...Object.keys(routes)])];
}
