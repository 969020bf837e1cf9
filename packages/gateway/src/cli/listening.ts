/** The address that the gateway listens on, its host names and proxies, and how it stops. */

import { parseAddressRange } from '../../../../src/gateway/access/callers.ts';
import { isLoopback } from '../../../../src/service/baseAddress.ts';
import { type Arguments, readNumber, UsageError } from './arguments.ts';

export interface ListenSettings {
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

/** @throws {UsageError} */
export function readListenSettings(values: Arguments, environment: NodeJS.ProcessEnv): ListenSettings {
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

const NO_PROXY =
  'Keys and prompts reach this gateway unencrypted. Put a proxy with TLS in front of it, and name it with --trusted-proxy.';

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
