/** Aliases for models that a tool requests by its own names, regardless of its configuration. */

import { ModelPatterns } from '../gateway/core/modelPattern.ts';
import type { KnownNames } from '../gateway/routing/routes/routeErrors.ts';
import type { ClientProgram } from './tool.ts';

export type Aliases = Readonly<Record<string, string>>;

/** The names that the gateway's callers can already request. */
export interface OfferedNames extends Pick<KnownNames, 'upstreams'> {
  readonly aliases: Readonly<Record<string, unknown>>;
  /** The names of the catalog's models. */
  readonly models: readonly string[];
  readonly routes: unknown;
}

/**
 * @param own The aliases that an earlier connection of the tool added, which may be replaced.
 * @returns an alias for each of the tool's names that does not refer to anything yet. Empty for most tools.
 */
export function proposeAliases(
  { fixedModels = [] }: ClientProgram,
  model: string,
  offered: OfferedNames,
  own: Aliases,
): Aliases {
  const others = { ...offered, aliases: withoutAliases(offered.aliases, own) };
  const missing = fixedModels.filter((name) => !isOffered(name, others));
  return Object.fromEntries(missing.map((name) => [name, model]));
}

/** Returns the setting's value, of any type, with these aliases added. */
export function withAliases(written: unknown, added: Aliases): Record<string, unknown> {
  return { ...Object(written), ...added };
}

/** Returns the setting's value without these aliases. Aliases that the user has changed are kept. */
export function withoutAliases(written: unknown, added: Aliases): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries<unknown>(Object(written)).filter(
      ([name, model]) => added[name] === undefined || added[name] !== model,
    ),
  );
}

/** A pattern that matches all names does not count. */
function isOffered(name: string, { upstreams, aliases, models, routes }: OfferedNames): boolean {
  return (
    Object.hasOwn(aliases, name) ||
    Object.hasOwn(Object(routes), name) ||
    models.includes(name) ||
    upstreams.some((upstream) => (new ModelPatterns(upstream.models).fit(name) ?? 0) > 0)
  );
}
