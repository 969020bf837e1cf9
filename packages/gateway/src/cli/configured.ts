/** The upstreams and local keys, from the options and the file of `--config`. */

import type { IssuedKey } from '../../../../src/gateway/keys/issuedKey.ts';
import type { UpstreamSettings } from '../../../../src/gateway/routing/upstreams.ts';
import type { ContextMeasuring } from '../../../../src/rules/contextPart.ts';
import type { KnownSecret } from '../../../../src/secrets/secretTable.ts';
import { type Arguments, UsageError } from './arguments.ts';
import { readServeConfig } from './config.ts';
import { shortKeyWarnings } from './keys.ts';
import { type GivenSecret, readSecretOption } from './secretOptions.ts';
import { readService } from './service.ts';

/** The part of the configuration that a changed file can change while the gateway runs. */
export interface Configured {
  readonly upstream: UpstreamSettings;
  readonly localKeys: readonly IssuedKey[];
  /** Keys of the file that were created just now. */
  readonly madeKeys: readonly IssuedKey[];
  /** Whether the session of an agent that repeats itself is ended. */
  readonly endsLoops: boolean;
  /** Whether the ledger gets what the requests of sessions consist of. */
  readonly measuresContext: ContextMeasuring;
  /** Values that are secrets wherever they are. */
  readonly knownSecrets: readonly KnownSecret[];
  readonly warnings: readonly string[];
}

/** The part of the configuration that the file cannot change. */
export interface StartOptions {
  readonly values: Arguments;
  readonly environment: NodeJS.ProcessEnv;
  /** The key of the options. */
  readonly serveKey: IssuedKey;
  /** Whether keys are in a database. */
  readonly hasDatabase: boolean;
}

/**
 * @param known keys of the previous configuration. Those whose secrets were created at the start keep them.
 * @throws {UsageError}
 */
export function readConfigured(fixed: StartOptions, known: readonly IssuedKey[] = []): Configured {
  const { values, serveKey } = fixed;
  const { upstream, keys, made, endsLoops, measuresContext, knownSecrets, warnings } = readFile(fixed, known);
  if (fixed.hasDatabase && keys.length > 0) {
    throw new UsageError('With --database, keys are in the database. Move "keys" of the configuration there.');
  }
  if (keys.some(({ secret }) => secret === serveKey.secret)) {
    throw new UsageError('The key from --key is also in the configuration.');
  }
  const localKeys = [serveKey, ...keys];
  const resetsOnStart = values.ledger === undefined && keys.some(({ budgets }) => budgets !== undefined);
  return {
    upstream,
    localKeys,
    madeKeys: made,
    endsLoops,
    measuresContext,
    knownSecrets,
    warnings: [...warnings, ...shortKeyWarnings(localKeys), ...(resetsOnStart ? [BUDGETS_RESET_ON_START] : [])],
  };
}

const BUDGETS_RESET_ON_START = 'Budgets start from zero each time this gateway starts. Use --ledger to keep them.';

interface ReadFile extends Omit<Configured, 'localKeys' | 'madeKeys'> {
  readonly keys: readonly IssuedKey[];
  readonly made: readonly IssuedKey[];
}

function readFile({ values, environment }: StartOptions, known: readonly IssuedKey[]): ReadFile {
  const { upstream, config, 'allow-plain-http': allowsPlainHttp } = values;
  const { secret: serviceKey, warnings: ofServiceKey } = readServiceKey(values, environment);
  const alone = readService(upstream ?? 'sandbox', serviceKey, allowsPlainHttp);
  if (config === undefined) {
    return {
      upstream: alone,
      keys: [],
      made: [],
      endsLoops: false,
      measuresContext: true,
      knownSecrets: [],
      warnings: ofServiceKey,
    };
  }
  const { upstreams, aliases, routes, localKeys, endsLoops, measuresContext, knownSecrets, asksUsage, ...configured } =
    readServeConfig(config, environment, {
      service: upstream === undefined ? undefined : alone.kind,
      known,
    });
  const warnings = [...ofServiceKey, ...configured.warnings];
  const read = { keys: localKeys.keys, made: localKeys.made, endsLoops, measuresContext, knownSecrets, warnings };
  const service = asksUsage || alone.kind === 'sandbox' ? alone : { ...alone, askUsage: false };
  const hasNames = Object.keys({ ...aliases, ...routes }).length > 0;
  if (upstreams.length === 0 && !hasNames) return { upstream: service, ...read };
  const beside = upstream !== undefined || upstreams.length === 0 ? service : undefined;
  const routed = { kind: 'routed' as const, upstreams, aliases, ...(routes !== undefined && { routes }) };
  const all = beside === undefined ? routed : { ...routed, service: beside };
  return { upstream: all, ...read };
}

function readServiceKey(values: Arguments, environment: NodeJS.ProcessEnv): GivenSecret {
  const { 'service-key-file': file, 'service-key-env': env } = values;
  const given = readSecretOption({ name: '--service-key', file, env }, environment);
  const secret = given.secret ?? environment.MODEL_ACCESS_KEY;
  return secret === undefined ? given : { ...given, secret };
}
