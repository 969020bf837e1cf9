import { defined } from '../../../../src/formats/json.ts';
import { parseAddressRange } from '../../../../src/gateway/access/callers.ts';
import { createLocalKeySecret } from '../../../../src/gateway/keys/issuedKey.ts';
import type { SandboxSettings } from '../../../../src/gateway/routing/upstreams.ts';
import { readSecretPolicy, SECRET_POLICIES, type SecretPolicy } from '../../../../src/rules/secretPolicy.ts';
import { isLoopback } from '../../../../src/service/baseAddress.ts';
import { type Arguments, parseArguments, readNumber, UsageError } from './arguments.ts';
import type { ConfigFile } from './configReload.ts';
import { type Configured, readConfigured } from './configured.ts';
import { type DatabaseSettings, readDatabaseSettings } from './database.ts';
import { isLocalKey, LOCAL_KEY_RULE, SERVE_KEY } from './keys.ts';
import { type GivenSecret, readSecretOption } from './secretOptions.ts';
import { readTelemetry, type TelemetrySettings } from './telemetry.ts';

export { UsageError };

const DEFAULT_PORT = 8787;
const DEFAULT_DRAIN = 5;
const MAX_DRAIN = 600;
const MAX_PORT = 65_535;
const HOST_AND_PORT = /^(\[[\da-f:.]+\]|[^\s:/@[\]]+):(\d{1,5})$/i;
/**
 * They stand for all addresses. They are not allowed as host names, because browsers let web pages send requests to
 * them.
 */
const WILDCARD = /^(?:0\.0\.0\.0|\[::\])$/;
const HOST_NAME = /^(?:\[[\da-f:.]+\]|[a-z\d](?:[a-z\d._-]*[a-z\d])?)$/i;
const NO_PROXY =
  'Keys and prompts reach this gateway unencrypted. Put a proxy with TLS in front of it, and name it with --trusted-proxy.';

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
    ...defined({ database, heldMegabytes }),
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

interface ListenSettings {
  /** The only address to listen on. Undefined for the loopback addresses of this machine. */
  readonly host?: string;
  readonly port: number;
  /** Names that a Host header may contain, in addition to the loopback names. */
  readonly allowedHosts: readonly string[];
  readonly trustedProxies: readonly string[];
  /** How long running requests may continue after a stop signal, in milliseconds. */
  readonly drainMs: number;
  readonly warnings: readonly string[];
}

/** @throws {UsageError} */
function readListenSettings(values: Arguments, environment: NodeJS.ProcessEnv): ListenSettings {
  const address = readAddress(values, environment);
  const { 'allow-host': allowedHosts, 'trusted-proxy': trustedProxies } = values;
  for (const name of allowedHosts) checkHostName(name);
  for (const range of trustedProxies) checkRange(range);
  const { host } = address;
  const isPublic = host !== undefined && !isLoopback(host);
  if (isPublic && allowedHosts.length === 0) {
    throw new UsageError(
      `--listen ${host}:${address.port} can be reached from other machines. List the host names that clients use with --allow-host.`,
    );
  }
  return {
    ...address,
    ...(host !== undefined && { host: host.replace(/^\[|\]$/g, '') }),
    // The listening address need not be listed, because no web page of another site can have it as its host name.
    allowedHosts: host === undefined || WILDCARD.test(host) ? allowedHosts : [...allowedHosts, host],
    trustedProxies,
    drainMs: (readNumber('--drain', values.drain, MAX_DRAIN) ?? DEFAULT_DRAIN) * 1000,
    warnings: isPublic && trustedProxies.length === 0 ? [NO_PROXY] : [],
  };
}

function readAddress(
  { listen: given, port }: Arguments,
  environment: NodeJS.ProcessEnv,
): { readonly host?: string; readonly port: number } {
  if (given !== undefined && port !== undefined) throw new UsageError('Use either --port or --listen.');
  const listen = given ?? (port === undefined ? environment.MODEL_ACCESS_LISTEN || undefined : undefined);
  if (listen === undefined) return { port: readPort(port) };
  const [, host, portOfHost] = HOST_AND_PORT.exec(listen) ?? [];
  if (host === undefined || Number(portOfHost) > MAX_PORT) {
    throw new UsageError('--listen must have the form HOST:PORT, such as 0.0.0.0:8787 or [::]:8787.');
  }
  return { host, port: Number(portOfHost) };
}

function readPort(text: string | undefined): number {
  const port = readNumber('--port', text, MAX_PORT) ?? DEFAULT_PORT;
  if (!Number.isInteger(port)) throw new UsageError('--port must be a whole number.');
  return port;
}

function checkHostName(name: string): void {
  if (HOST_NAME.test(name)) return;
  throw new UsageError(
    `--allow-host must be a host name without a scheme or port, such as gateway.example.com, not ${name}.`,
  );
}

function checkRange(text: string): void {
  if (parseAddressRange(text) !== undefined) return;
  throw new UsageError(`--trusted-proxy must be an address or a range, such as 10.0.0.5 or 10.0.0.0/8, not ${text}.`);
}
