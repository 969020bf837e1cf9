import type { IssuedKey } from '../keys/issuedKey.ts';
import { createLocalKeySecret } from '../keys/localKey.ts';
import type { SandboxSettings, UpstreamSettings } from '../routing/upstreams.ts';
import type { OtlpSettings } from '../telemetry/otlpSettings.ts';
import { type Arguments, parseArguments, readNumber } from './arguments.ts';
import { readServeConfig } from './config.ts';
import { type DatabaseSettings, readDatabaseSettings } from './database.ts';
import { isLocalKey, LOCAL_KEY_RULE, SERVE_KEY, shortKeyWarnings } from './keys.ts';
import { type ListenSettings, readListenSettings } from './listening.ts';
import { type GivenSecret, readSecretOption } from './secretOptions.ts';
import { readService } from './service.ts';
import { type MetricsKey, readTelemetry } from './telemetryOptions.ts';
import { UsageError } from './usageError.ts';

export { UsageError };

export interface ServeOptions extends ListenSettings {
  readonly upstream: UpstreamSettings;
  readonly sandbox: SandboxSettings;
  /** Opens the gateway without limits. */
  readonly key: string;
  /** All keys. */
  readonly localKeys: readonly IssuedKey[];
  /** Those besides `key` that were made just now. */
  readonly madeKeys: readonly IssuedKey[];
  readonly allowedOrigins: readonly string[];
  /** The path of the ledger. */
  readonly ledger?: string;
  readonly database?: DatabaseSettings;
  /** Opens `/metrics`; it is not served when absent. */
  readonly metricsKey?: MetricsKey;
  /** Absent when no telemetry is sent. */
  readonly otlp?: OtlpSettings;
  /** Whether requests are searched for secrets. */
  readonly detectsSecrets: boolean;
  /** What the person who started it should know. */
  readonly warnings: readonly string[];
}

/** @throws {UsageError} */
export function readServeOptions(args: readonly string[], environment: NodeJS.ProcessEnv): ServeOptions {
  const values = parseArguments(args);
  const listening = readListenSettings(values, environment);
  const given = readLocalKey(values, environment);
  const key = given.secret ?? environment.MODEL_ACCESS_LOCAL_KEY ?? createLocalKeySecret();
  if (!isLocalKey(key)) throw new UsageError(LOCAL_KEY_RULE);
  const delayMs = readNumber('--delay', values.delay, 60_000);
  const credit = readNumber('--credit', values.credit, 1_000_000);
  const { upstream, localKeys, madeKeys, ...configured } = readConfigured(values, environment);
  const database = readDatabaseSettings(values, environment);
  if (database !== undefined && localKeys.length > 0) {
    throw new UsageError('With --database, keys are in the database. Move "keys" of the configuration there.');
  }
  const countsAnew = values.ledger === undefined && localKeys.some(({ budgets }) => budgets !== undefined);
  if (localKeys.some(({ secret }) => secret === key))
    throw new UsageError('The key of --key is also in the configuration.');
  const serveKey = { id: SERVE_KEY, name: SERVE_KEY, secret: key, createdAt: Date.now() };
  const allKeys = [serveKey, ...localKeys];
  const warnings = [...listening.warnings, ...given.warnings, ...configured.warnings, ...shortKeyWarnings(allKeys)];
  return {
    ...listening,
    upstream,
    sandbox: { ...(delayMs !== undefined && { delayMs }), ...(credit !== undefined && { credit }) },
    key,
    localKeys: allKeys,
    madeKeys,
    warnings: countsAnew ? [...warnings, BUDGETS_COUNT_ANEW] : warnings,
    allowedOrigins: values['allow-origin'],
    ...(values.ledger !== undefined && { ledger: values.ledger }),
    ...(database !== undefined && { database }),
    detectsSecrets: values['detect-secrets'],
    ...readTelemetry(values, environment),
  };
}

function readLocalKey(values: Arguments, environment: NodeJS.ProcessEnv): GivenSecret {
  const { key: value, 'key-file': file, 'key-env': env } = values;
  return readSecretOption({ name: '--key', value, file, env }, environment);
}

function readServiceKey(values: Arguments, environment: NodeJS.ProcessEnv): GivenSecret {
  const { 'service-key-file': file, 'service-key-env': env } = values;
  const given = readSecretOption({ name: '--service-key', file, env }, environment);
  const secret = given.secret ?? environment.MODEL_ACCESS_KEY;
  return secret === undefined ? given : { ...given, secret };
}

const BUDGETS_COUNT_ANEW = 'Budgets start from zero each time this gateway starts. Use --ledger to keep them.';

type Configured = Pick<ServeOptions, 'upstream' | 'localKeys' | 'madeKeys' | 'warnings'>;

/** From the options that say who answers, and whom. */
function readConfigured(values: Arguments, environment: NodeJS.ProcessEnv): Configured {
  const { upstream, config, 'allow-plain-http': allowsPlainHttp } = values;
  const { secret: serviceKey, warnings: ofServiceKey } = readServiceKey(values, environment);
  const readAlone = () => readService(upstream ?? 'sandbox', serviceKey, allowsPlainHttp);
  if (config === undefined) return { upstream: readAlone(), localKeys: [], madeKeys: [], warnings: ofServiceKey };
  const service = upstream === undefined ? undefined : readAlone();
  const { upstreams, aliases, routes, localKeys, ...configured } = readServeConfig(config, environment, service?.kind);
  const warnings = [...ofServiceKey, ...configured.warnings];
  const keys = { localKeys: localKeys.keys, madeKeys: localKeys.made, warnings };
  if (upstreams.length === 0 && routes === undefined) return { upstream: readAlone(), ...keys };
  const routed = { kind: 'routed' as const, upstreams, aliases, ...(routes !== undefined && { routes }) };
  return { upstream: service === undefined ? routed : { ...routed, service }, ...keys };
}
