/** The file of `--config`: upstreams with the names of their models, and local keys. */
import { globSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { errorText } from '../../../../src/display/errors.ts';
import { FormatError } from '../../../../src/formats/apiError.ts';
import { check } from '../../../../src/formats/check.ts';
import type { IssuedKey } from '../../../../src/gateway/keys/issuedKey.ts';
import { resolveEntry } from '../../../../src/gateway/routing/resolvedEntry.ts';
import { type RouteList, routesEntry } from '../../../../src/gateway/routing/routes/routeEntry.ts';
import {
  describeRouteError,
  findAliasErrors,
  findRouteErrors,
} from '../../../../src/gateway/routing/routes/routeErrors.ts';
import { upstreamShape } from '../../../../src/gateway/routing/upstreamEntry.ts';
import type { CompatibleSettings } from '../../../../src/gateway/upstreams/compatible.ts';
import type { ContextMeasuring } from '../../../../src/rules/contextPart.ts';
import { assignedValues, namedSecrets } from '../../../../src/secrets/namedSecrets.ts';
import type { KnownSecret } from '../../../../src/secrets/secretTable.ts';
import { UsageError } from './arguments.ts';
import { configuredKey, readServeKeys, type ServeKeys } from './keys.ts';
import { isPlainHttp } from './service.ts';

const secretValuesEntry = z.strictObject({
  /** Names of environment variables. */
  environment: z._default(z.array(z.string().check(z.minLength(1))), []),
  /** Patterns of files with lines such as `KEY=value`. */
  files: z._default(z.array(z.string().check(z.minLength(1))), []),
});

/** @throws {UsageError} if a file cannot be read. */
function readSecretValues(
  { environment: names, files }: z.infer<typeof secretValuesEntry>,
  environment: NodeJS.ProcessEnv,
): readonly KnownSecret[] {
  const ofFiles = globSync(files).flatMap((file) => assignedValues(readText(file, `secrets in ${file}`)));
  return namedSecrets([...names.map((name) => ({ name, value: environment[name] ?? '' })), ...ofFiles]);
}

const upstream = z.strictObject({
  ...upstreamShape,
  /** Several keys share the sessions. */
  apiKeyEnv: z.optional(z.union([z.string(), z.array(z.string()).check(z.minLength(1))])),
});

const config = z.strictObject({
  upstreams: z._default(z.array(upstream), []),
  aliases: z._default(z.record(z.string(), z.string()), {}),
  routes: z.optional(routesEntry),
  keys: z._default(z.array(configuredKey), []),
  endLoops: z._default(z.boolean(), false),
  measureContext: z._default(z.union([z.boolean(), z.literal('fileNames')]), true),
  secretValues: z.optional(secretValuesEntry),
  askUsage: z._default(z.boolean(), true),
});

export interface ServeConfig {
  /** Empty if the file contains only local keys. */
  readonly upstreams: readonly CompatibleSettings[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly routes?: RouteList;
  readonly localKeys: ServeKeys;
  /** Whether chat-completions streams of the hosted service are asked for their usage. */
  readonly asksUsage: boolean;
  /** Whether the session of an agent that repeats itself is ended. */
  readonly endsLoops: boolean;
  /** Whether the ledger gets what the requests of sessions consist of. */
  readonly measuresContext: ContextMeasuring;
  /** Values that are secrets wherever they are. */
  readonly knownSecrets: readonly KnownSecret[];
  /** Messages about valid settings that are probably unintended. */
  readonly warnings: readonly string[];
}

export interface ConfigSurroundings {
  /** The ID of the upstream that the command line names in addition. It offers all models. */
  readonly service?: string | undefined;
  /** Keys of the previous configuration. Those without `secretEnv` keep their secrets. */
  readonly known?: readonly IssuedKey[];
}

/** @throws {UsageError} naming the first problem. */
export function readServeConfig(
  file: string,
  environment: NodeJS.ProcessEnv,
  { service, known }: ConfigSurroundings = {},
): ServeConfig {
  const { upstreams, aliases, routes, keys, endLoops, measureContext, secretValues, askUsage } = parse(
    file,
    readText(file, 'configuration'),
  );
  const isDefault = !endLoops && measureContext === true && askUsage && secretValues === undefined;
  if (isDefault && upstreams.length + keys.length + Object.keys({ ...aliases, ...routes }).length === 0) {
    throw new UsageError(`${file} has neither upstreams, aliases, routes, nor keys.`);
  }
  const ids = upstreams.map(({ id }) => id);
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  if (twice !== undefined) throw new UsageError(`${file}: two upstreams have the id "${twice}".`);
  // If neither the file nor the command line has an upstream, the sandbox answers.
  const further = service ?? (upstreams.length === 0 ? 'sandbox' : undefined);
  const offering = further === undefined ? upstreams : [...upstreams, { id: further, models: ['*'] }];
  const offered = { upstreams: offering, aliases };
  const [error] = [...findAliasErrors(routes ?? {}, offered), ...findRouteErrors(routes ?? {}, offered)];
  if (error !== undefined) throw new UsageError(`${file}: ${describeRouteError(error)}`);
  const configured = upstreams.map((each) => readUpstream(each, environment));
  const readable = upstreams.filter(
    ({ apiKeyEnv, baseUrl }) => apiKeyEnv !== undefined && isPlainHttp(new URL(baseUrl)),
  );
  const plain = readable.map(
    ({ id, baseUrl }) => `The key of ${id} is sent unencrypted to ${new URL(baseUrl).host}. Use https://.`,
  );
  const localKeys = readServeKeys(keys, environment, known);
  return {
    upstreams: configured.map(({ settings }) => settings),
    aliases,
    ...(routes !== undefined && { routes }),
    localKeys,
    asksUsage: askUsage,
    endsLoops: endLoops,
    measuresContext: measureContext,
    knownSecrets: secretValues === undefined ? [] : readSecretValues(secretValues, environment),
    warnings: [...configured.flatMap(({ warnings }) => warnings), ...plain, ...localKeys.warnings],
  };
}

function readUpstream(
  { apiKeyEnv = [], ...entry }: z.infer<typeof upstream>,
  environment: NodeJS.ProcessEnv,
): { readonly settings: CompatibleSettings; readonly warnings: readonly string[] } {
  const { id } = entry;
  const names = [apiKeyEnv].flat();
  const [apiKey, ...furtherKeys] = names.flatMap((name) => environment[name] || []);
  const { settings, unset } = resolveEntry(entry, environment);
  const missing = names.filter((name) => !environment[name]);
  const use = apiKey === undefined ? `${id} is used without a key` : `${id} is used with fewer keys`;
  return {
    settings: {
      ...settings,
      ...(apiKey !== undefined && { apiKey }),
      ...(furtherKeys.length > 0 && { furtherKeys }),
    },
    warnings: [
      ...missing.map((name) => `${use}: ${name} is not set.`),
      ...unset.map((name) => `${id} is used without a header that needs ${name}, which is not set or no header value.`),
    ],
  };
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Could not read the ${what}: ${errorText(error)}`);
  }
}

function parse(file: string, text: string): z.infer<typeof config> {
  const value = parseJson(file, text);
  try {
    return check(config, value);
  } catch (error) {
    if (error instanceof FormatError) throw new UsageError(`${file}: ${withValue(error, value)}`);
    throw error;
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${errorText(error)}`);
  }
}

/** Longer values are not quoted in messages, because they are not misspelled names. */
const MAX_QUOTED_LENGTH = 100;

/** Values of headers may be secret. */
const MAY_BE_SECRET = /(?:^|\.)headers\./;

/** Returns the message of the error, with the wrong value if it is short and not quoted yet. */
function withValue({ message, path }: FormatError, config: unknown): string {
  if (MAY_BE_SECRET.test(path)) return message;
  const value = valueAt(config, path.split('.'));
  const quoted = typeof value === 'object' || value === undefined ? '' : JSON.stringify(value);
  const isQuoted = message.replace(path, '').includes(quoted);
  if (quoted === '' || quoted.length > MAX_QUOTED_LENGTH || isQuoted) return message;
  return message.replace(`${path}: `, () => `${path}: ${quoted} is not allowed here. `);
}

/** Tries prefixes of the path, because names of members may contain dots. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  if (path.length === 0) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const lengths = path.map((_, index) => index + 1);
  const length = lengths.find((each) => Object.hasOwn(value, path.slice(0, each).join('.')));
  if (length === undefined) return undefined;
  return valueAt(new Map(Object.entries(value)).get(path.slice(0, length).join('.')), path.slice(length));
}
