/** The file that `--config` names: several upstreams with the names of their models, and local keys. */

import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { FormatError } from '../../formats/apiError.ts';
import { check } from '../../formats/check.ts';
import { type RouteList, routesEntry } from '../routing/routes/routeEntry.ts';
import { describeMistake, findRouteMistakes } from '../routing/routes/routeMistakes.ts';
import { upstreamShape } from '../routing/upstreamEntry.ts';
import type { CompatibleSettings } from '../upstreams/compatible.ts';
import { configuredKey, readServeKeys, type ServeKeys } from './keys.ts';
import { isPlainHttp } from './service.ts';
import { UsageError } from './usageError.ts';

const upstream = z.strictObject({
  ...upstreamShape,
  apiKeyEnv: z.optional(z.string()),
});

const config = z.strictObject({
  upstreams: z._default(z.array(upstream), []),
  aliases: z._default(z.record(z.string(), z.string()), {}),
  routes: z.optional(routesEntry),
  keys: z._default(z.array(configuredKey), []),
});

export interface ServeConfig {
  /** None when the file has local keys alone. */
  readonly upstreams: readonly CompatibleSettings[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly routes?: RouteList;
  readonly localKeys: ServeKeys;
  /** Things that are allowed and yet hardly meant, each a line for the person who wrote the file. */
  readonly warnings: readonly string[];
}

/**
 * @param service the id of the upstream that the command line names in addition, which offers all models.
 * @throws {UsageError} naming what does not fit.
 */
export function readServeConfig(file: string, environment: NodeJS.ProcessEnv, service?: string): ServeConfig {
  const { upstreams, aliases, routes, keys } = parse(file, readText(file));
  if (upstreams.length + keys.length === 0) throw new UsageError(`${file} has neither upstreams nor keys.`);
  const ids = upstreams.map(({ id }) => id);
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  if (twice !== undefined) throw new UsageError(`${file}: two upstreams have the id "${twice}".`);
  const offering = service === undefined ? upstreams : [...upstreams, { id: service, models: ['*'] }];
  const [mistake] = findRouteMistakes(routes ?? {}, { upstreams: offering, aliases });
  if (mistake !== undefined) throw new UsageError(`${file}: ${describeMistake(mistake)}`);
  const unset = upstreams.filter(({ apiKeyEnv }) => apiKeyEnv !== undefined && !environment[apiKeyEnv]);
  const unkeyed = unset.map(({ id, apiKeyEnv }) => `${id} is used without a key: ${apiKeyEnv} is not set.`);
  const readable = upstreams.filter(
    ({ apiKeyEnv, baseUrl }) => apiKeyEnv !== undefined && isPlainHttp(new URL(baseUrl)),
  );
  const plain = readable.map(
    ({ id, baseUrl }) => `The key of ${id} is sent unencrypted to ${new URL(baseUrl).host}. Use https://.`,
  );
  const localKeys = readServeKeys(keys, environment);
  return {
    upstreams: upstreams.map(({ apiKeyEnv, ...settings }) => {
      const apiKey = apiKeyEnv === undefined ? undefined : environment[apiKeyEnv];
      return apiKey ? { ...settings, apiKey } : settings;
    }),
    aliases,
    ...(routes !== undefined && { routes }),
    localKeys,
    warnings: [...unkeyed, ...plain, ...localKeys.warnings],
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Could not read the configuration: ${error instanceof Error ? error.message : file}`);
  }
}

function parse(file: string, text: string): z.infer<typeof config> {
  try {
    return check(config, JSON.parse(text));
  } catch (error) {
    if (error instanceof FormatError) throw new UsageError(`${file}: ${error.message}`);
    throw new UsageError(`${file} is not JSON.`);
  }
}
