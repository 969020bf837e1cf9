/**
 * The setting `modelAccess.routes`, which is used as a whole or not at all, because routes may refer to each other, and
 * the targets of `modelAccess.gateway.aliases`.
 */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { FormatError } from '../formats/apiError.ts';
import { check } from '../formats/check.ts';
import { type RouteList, routesEntry } from '../gateway/routing/routes/routeEntry.ts';
import {
  findAliasErrors,
  findRouteErrors,
  type KnownNames,
  type RouteError,
} from '../gateway/routing/routes/routeErrors.ts';
import type { AliasList } from './upstreamList.ts';

const section = z.object({ routes: routesEntry });

export interface ReadRoutes {
  /** Undefined if the setting has an error. */
  readonly routes?: RouteList;
  /** Sentences with the path, the value, and what is allowed. */
  readonly problems: readonly string[];
}

/** Returns the aliases that lead to a route or an offered model, and the problems of the others. */
export function usableAliases(routes: RouteList, known: KnownNames): AliasList {
  const errors = findAliasErrors(routes, known);
  const isUsable = ([name]: [string, string]) => !errors.some(({ path }) => path === `aliases.${name}`);
  return {
    aliases: Object.fromEntries(Object.entries(known.aliases).filter(isUsable)),
    problems: errors.map((error) => routeErrorText({ ...error, path: `gateway.${error.path}` })),
  };
}

export function readRouteList(value: unknown, known: KnownNames): ReadRoutes {
  const routes = readRouteShape(value);
  if (typeof routes === 'string') return { problems: [routes] };
  const errors = findRouteErrors(routes, known);
  return errors.length === 0 ? { routes, problems: [] } : { problems: errors.map(routeErrorText) };
}

export function readRouteShape(value: unknown): RouteList | string {
  try {
    return check(section, { routes: value }).routes;
  } catch (error) {
    if (error instanceof FormatError) return `modelAccess.${error.message}`;
    throw error;
  }
}

function routeErrorText({ path, value, kind, allowed }: RouteError): string {
  const place = `modelAccess.${path}`;
  if (kind === 'circle')
    return l10n.t('{0}: “{1}” refers back to this route. A route cannot use itself.', place, value);
  if (kind === 'taken') return l10n.t('{0}: “{1}” is also the name of an alias. Rename one of them.', place, value);
  return l10n.t('{0}: No upstream offers “{1}”. Use one of: {2}.', place, value, allowed.join(', '));
}
