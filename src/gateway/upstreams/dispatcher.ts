import * as tls from 'node:tls';
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { skippingContinue } from './unaskedContinue.ts';

/** Network options from the editor's `http.*` settings. Undefined members are read from the environment. */
export interface NetworkSettings {
  /** Such as `http://proxy:3128` or `proxy:3128`. An empty string means no proxy. */
  readonly proxy?: string;
  /** Names of hosts that are connected without the proxy. */
  readonly noProxy?: readonly string[];
  /** The value of the `Proxy-Authorization` header. */
  readonly proxyAuthorization?: string;
  /** False accepts any certificate. */
  readonly strictSSL?: boolean;
  /** Certificate authorities to trust in addition to those of the system, in PEM format. */
  readonly certificates?: readonly string[];
}

const CONNECT_TIMEOUT_MS = 15_000;
const MAX_HEADER_BYTES = 64 * 1024;

/** Proxies are not used for this machine. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];

/**
 * Creates the connections to one origin, such as `https://host:443`. Uses HTTP/1.1 only, with one connection for each
 * stream, so that a slow client delays no others. Each request sets its own timeouts.
 * @throws {TypeError} if the address of the proxy is invalid.
 */
export function createDispatcher(origin: string, network: NetworkSettings = {}): Dispatcher {
  const proxy = proxyFor(origin, network);
  const secure = proxy !== undefined || origin.startsWith('https:') ? tlsOptions(network) : {};
  const options = {
    allowH2: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: { ...secure, timeout: CONNECT_TIMEOUT_MS },
  };
  if (proxy === undefined) return poolOf(origin, options);
  return new EnvHttpProxyAgent({
    ...options,
    factory: poolOf,
    clientFactory: poolOf,
    requestTls: secure,
    proxyTls: secure,
    noProxy: [...LOOPBACK_NAMES, ...(network.noProxy ?? []), environment('no_proxy') ?? ''].join(','),
    httpProxy: proxy,
    httpsProxy: proxy,
    ...(network.proxyAuthorization !== undefined && { token: network.proxyAuthorization }),
  });
}

/** Also for connections to and through a proxy, which have a connector of their own. */
function poolOf(origin: string | URL, { connect, ...options }: Pool.Options): Pool {
  const connector = typeof connect === 'function' ? connect : buildConnector({ ...connect, allowH2: false });
  return new Pool(origin, { ...options, connect: skippingContinue(connector) });
}

function proxyFor(origin: string, { proxy }: NetworkSettings): string | undefined {
  const { hostname, protocol } = new URL(origin);
  if (LOOPBACK_NAMES.includes(hostname.replace(/^\[|\]$/g, ''))) return undefined;
  const ofScheme = protocol === 'https:' ? environment('https_proxy') : undefined;
  const address = proxy ?? ofScheme ?? environment('http_proxy') ?? '';
  return address === '' ? undefined : proxyAddress(address);
}

/** Many users write only `host:port`. The error does not quote the address, because it can contain a password. */
function proxyAddress(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      'The proxy address must have the form http://host:port. It comes from the http.proxy setting, or otherwise from HTTPS_PROXY or HTTP_PROXY in the environment.',
    );
  }
  return url.href;
}

/** Proxy variables are read in lower case first, then in upper case, as other programs do. */
function environment(name: string): string | undefined {
  return process.env[name] ?? process.env[name.toUpperCase()];
}

/**
 * All connections share one context, because loading the authorities for each connection would take longer than the
 * handshake.
 */
function tlsOptions({ certificates = [], strictSSL = true }: NetworkSettings) {
  const authorities = new Set([
    ...tls.getCACertificates('default'),
    ...tls.getCACertificates('system'),
    ...certificates,
  ]);
  return {
    secureContext: tls.createSecureContext({ ca: [...authorities] }),
    rejectUnauthorized: strictSSL,
  };
}
