/** The file that `--config` names: several upstreams and the names of their models. */

import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { FormatError } from '../formats/apiError.ts';
import { check } from '../formats/check.ts';
import { upstreamShape } from './routing/upstreamEntry.ts';
import type { CompatibleSettings } from './upstreams/compatible.ts';
import { UsageError } from './usageError.ts';

const upstream = z.strictObject({
  ...upstreamShape,
  apiKeyEnv: z.optional(z.string()),
});

const config = z.strictObject({
  upstreams: z.array(upstream).check(z.minLength(1)),
  aliases: z._default(z.record(z.string(), z.string()), {}),
});

export interface ServeConfig {
  readonly upstreams: readonly CompatibleSettings[];
  readonly aliases: Readonly<Record<string, string>>;
  /** Things that are allowed and yet hardly meant, each a line for the person who wrote the file. */
  readonly warnings: readonly string[];
}

/** @throws {UsageError} naming what does not fit. */
export function readServeConfig(file: string, environment: NodeJS.ProcessEnv): ServeConfig {
  const { upstreams, aliases } = parse(file, readText(file));
  const ids = upstreams.map(({ id }) => id);
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  if (twice !== undefined) throw new UsageError(`${file}: two upstreams have the id "${twice}".`);
  const unset = upstreams.filter(({ apiKeyEnv }) => apiKeyEnv !== undefined && !environment[apiKeyEnv]);
  return {
    upstreams: upstreams.map(({ apiKeyEnv, ...settings }) => {
      const apiKey = apiKeyEnv === undefined ? undefined : environment[apiKeyEnv];
      return apiKey ? { ...settings, apiKey } : settings;
    }),
    aliases,
    warnings: unset.map(({ id, apiKeyEnv }) => `${id} is asked without a key: ${apiKeyEnv} is not set.`),
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The configuration cannot be read: ${error instanceof Error ? error.message : file}`);
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
