/** Aliases for the models that a tool asks for by names of its own, whatever its configuration says. */

import { ModelPatterns } from '../../gateway/routing/modelPattern.ts';
import type { KnownNames } from '../../gateway/routing/routes/routeMistakes.ts';
import type { Tool } from './tool.ts';

export type Aliases = Readonly<Record<string, string>>;

/** What the gateway's callers may ask for already. */
export interface OfferedNames extends Pick<KnownNames, 'upstreams'> {
  readonly aliases: Readonly<Record<string, unknown>>;
  /** Names of the catalog's models. */
  readonly models: readonly string[];
  readonly routes: unknown;
}

/**
 * @param own aliases that an earlier connection of the tool added, which may be replaced.
 * @returns an alias for each of the tool's names that leads nowhere yet. Empty for most tools.
 */
export function proposeAliases(
  { fixedModels = [] }: Tool,
  model: string,
  offered: OfferedNames,
  own: Aliases,
): Aliases {
  const others = { ...offered, aliases: withoutAliases(offered.aliases, own) };
  const missing = fixedModels.filter((name) => !isOffered(name, others));
  return Object.fromEntries(missing.map((name) => [name, model]));
}

/** What is in the setting, whatever it is, with these aliases. */
export function withAliases(written: unknown, added: Aliases): Record<string, unknown> {
  return { ...Object(written), ...added };
}

/** What is in the setting without those of these aliases that were not changed. */
export function withoutAliases(written: unknown, added: Aliases): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries<unknown>(Object(written)).filter(
      ([name, model]) => added[name] === undefined || added[name] !== model,
    ),
  );
}

/** A pattern for all names says nothing about one of them. */
function isOffered(name: string, { upstreams, aliases, models, routes }: OfferedNames): boolean {
  return (
    Object.hasOwn(aliases, name) ||
    Object.hasOwn(Object(routes), name) ||
    models.includes(name) ||
    upstreams.some((upstream) => (new ModelPatterns(upstream.models).fit(name) ?? 0) > 0)
  );
}
