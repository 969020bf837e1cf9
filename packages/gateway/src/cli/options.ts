import { createLocalKeySecret } from '../../../../src/gateway/keys/issuedKey.ts';
import type { SandboxSettings } from '../../../../src/gateway/routing/upstreams.ts';
import { readSecretPolicy, SECRET_POLICIES, type SecretPolicy } from '../../../../src/rules/secretPolicy.ts';
import { type Arguments, parseArguments, readNumber, UsageError } from './arguments.ts';
import type { ConfigFile } from './configReload.ts';
import { type Configured, readConfigured } from './configured.ts';
import { type DatabaseSettings, readDatabaseSettings } from './database.ts';
import { isLocalKey, LOCAL_KEY_RULE, SERVE_KEY } from './keys.ts';
import { type ListenSettings, readListenSettings } from './listening.ts';
import { type GivenSecret, readSecretOption } from './secretOptions.ts';
import { readTelemetry, type TelemetrySettings } from './telemetry.ts';

export { UsageError };

export interface ServeOptions extends ListenSettings, Configured, TelemetrySettings {
  readonly sandbox: SandboxSettings;
  /** The secret of a local key without limits. */
  readonly key: string;
  readonly allowedOrigins: readonly string[];
  /** The path of the ledger. */
  readonly ledger?: string;
  readonly database?: DatabaseSettings;
  /** Undefined for the default. */
  readonly heldMegabytes?: number;
  /** What happens to secrets in requests. */
  readonly secretPolicy: SecretPolicy;
  /** The file of `--config`, which is read again when it changes. */
  readonly config?: ConfigFile;
  /** Messages for the user who started the gateway. */
  readonly warnings: readonly string[];
}

/** One key has half of the memory for requests, which must be enough for the longest body. */
const MIN_HELD_MB = 256;

const CHECKS_CERTIFICATES =
  'NODE_TLS_REJECT_UNAUTHORIZED is ignored, because the certificates of upstreams are always checked. Trust a private authority with NODE_EXTRA_CA_CERTS.';

/** @throws {UsageError} */
export function readServeOptions(args: readonly string[], environment: NodeJS.ProcessEnv): ServeOptions {
  const values = parseArguments(args);
  const listening = readListenSettings(values, environment);
  const given = readLocalKey(values, environment);
  const key = given.secret ?? environment.MODEL_ACCESS_LOCAL_KEY ?? createLocalKeySecret();
  if (!isLocalKey(key)) throw new UsageError(LOCAL_KEY_RULE);
  const delayMs = readNumber('--delay', values.delay, 60_000);
  const credit = readNumber('--credit', values.credit, 1_000_000);
  const heldMegabytes = readNumber('--request-memory', values['request-memory'], 1_000_000, MIN_HELD_MB);
  const database = readDatabaseSettings(values, environment);
  const serveKey = { id: SERVE_KEY, name: SERVE_KEY, secret: key, createdAt: Date.now() };
  const fixed = { values, environment, serveKey, hasDatabase: database !== undefined };
  const configured = readConfigured(fixed);
  const { config } = values;
  return {
    ...listening,
    ...configured,
    sandbox: { ...(delayMs !== undefined && { delayMs }), ...(credit !== undefined && { credit }) },
    key,
    warnings: [
      ...listening.warnings,
      ...given.warnings,
      ...(database?.warnings ?? []),
      ...configured.warnings,
      ...(environment.NODE_TLS_REJECT_UNAUTHORIZED === '0' ? [CHECKS_CERTIFICATES] : []),
    ],
    allowedOrigins: values['allow-origin'],
    ...(values.ledger !== undefined && { ledger: values.ledger }),
    ...(database !== undefined && { database }),
    ...(heldMegabytes !== undefined && { heldMegabytes }),
    secretPolicy: readPolicy(values),
    ...(config !== undefined && { config: { path: config, read: (known) => readConfigured(fixed, known) } }),
    ...readTelemetry(values, environment),
  };
}

/** `--detect-secrets` is the earlier name of `--secrets report`. */
function readPolicy({ secrets, 'detect-secrets': detects }: Arguments): SecretPolicy {
  if (secrets === undefined) return detects ? 'report' : 'off';
  const policy = readSecretPolicy(secrets);
  if (policy === undefined) throw new UsageError(`--secrets must be one of ${SECRET_POLICIES.join(', ')}.`);
  return policy;
}

function readLocalKey(values: Arguments, environment: NodeJS.ProcessEnv): GivenSecret {
  const { key: value, 'key-file': file, 'key-env': env } = values;
  return readSecretOption({ name: '--key', value, file, env }, environment);
}
