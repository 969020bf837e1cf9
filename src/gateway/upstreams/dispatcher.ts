import { BlockList, isIP, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';

/** Network options from the editor's `http.*` settings. Undefined members are read from the environment. */
export interface NetworkSettings {
  /** Such as `http://proxy:3128` or `proxy:3128`. An empty string means no proxy. */
  readonly proxy?: string;
  /** Hosts that are connected without the proxy: names, addresses, and ranges. */
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
    // Whether this one origin needs it is known already.
    noProxy: '',
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

function proxyFor(origin: string, { proxy, noProxy = [] }: NetworkSettings): string | undefined {
  const { protocol } = new URL(origin);
  if (bypassesProxy(origin, [...noProxy, environment('no_proxy') ?? ''])) return undefined;
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
  // A percent sign that encodes nothing is one of the name or the password.
  url.username = encoded(url.username);
  url.password = encoded(url.password);
  return url.href;
}

function encoded(text: string): string {
  try {
    decodeURIComponent(text);
    return text;
  } catch {
    return text.replaceAll('%', '%25');
  }
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

/** A longer one is passed on, so that the connection fails. In bytes. */
const MAX_INTERIM_HEAD = 8 * 1024;

const CONTINUE_LINES = ['HTTP/1.1 100', 'HTTP/1.0 100'].map((name) => Buffer.from(name));
const END_OF_HEAD = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);
/** Where the first digit of the status is, and this digit in interim responses. */
const CLASS_AT = 'HTTP/1.1 '.length;
const INTERIM = 0x31;

/**
 * Wraps a connector so that interim responses with the status 100 are skipped. Some servers and proxies send them
 * although no request asks for them, and undici closes the connection then. All other interim responses pass.
 */
function skippingContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (...result) => {
      if (result[0] === null) skipContinue(result[1]);
      callback(...result);
    });
  };
}

/**
 * Only the beginning of an answer is looked at: what is read first after the head of a request was written. After that,
 * the socket reads as it did before.
 */
function skipContinue(socket: Socket): void {
  const [read, write] = [socket.read.bind(socket), socket.write.bind(socket)];
  let held: Buffer = NOTHING;
  const readBeginning: typeof read = (size) => {
    for (let chunk: Buffer | null = read(size); chunk !== null; chunk = read(size)) {
      const isPlain = held.length === 0 && chunk.length > CLASS_AT && chunk[CLASS_AT] !== INTERIM;
      const rest = isPlain ? chunk : withoutContinue(Buffer.concat([held, chunk]));
      held = isPlain || !mayBeContinue(rest) ? NOTHING : rest;
      if (held !== NOTHING) continue;
      socket.read = read;
      return rest;
    }
    return null;
  };
  socket.write = ((...written: Parameters<typeof write>) => {
    // Heads are written as text. Bodies may follow while the answer already arrives.
    const isHead = typeof written[0] === 'string' && /^[A-Z]+ \S+ HTTP\/1\.1\r\n/.test(written[0]);
    if (isHead) socket.read = readBeginning;
    return write(...written);
  }) as typeof socket.write;
}

function withoutContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (CONTINUE_LINES.some((name) => rest.subarray(0, name.length).equals(name))) {
    const end = rest.indexOf(END_OF_HEAD);
    if (end === -1) return rest;
    rest = rest.subarray(end + END_OF_HEAD.length);
  }
  return rest;
}

/** Whether the bytes are the beginning of an incomplete interim response. */
function mayBeContinue(bytes: Buffer): boolean {
  if (bytes.length > MAX_INTERIM_HEAD) return false;
  return CONTINUE_LINES.some((name) => {
    const length = Math.min(name.length, bytes.length);
    return bytes.subarray(0, length).equals(name.subarray(0, length));
  });
}

/** Addresses of this machine, in whatever form an address names them. */
const OWN_ADDRESSES = new BlockList();
OWN_ADDRESSES.addSubnet('127.0.0.0', 8, 'ipv4');
OWN_ADDRESSES.addAddress('0.0.0.0', 'ipv4');
OWN_ADDRESSES.addAddress('::1', 'ipv6');
OWN_ADDRESSES.addAddress('::', 'ipv6');
const OWN_NAME = /(?:^|\.)localhost$/;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
/** A name or an address, the latter also in brackets, and the length of its range or its port. */
const ENTRY = /^\[?([^\]/]*?)\]?(?:\/(\d{1,3})|:(\d{1,5}))?$/;

/**
 * Whether an address is reached without the proxy: what is on this machine, and what the entries name, as curl and Go read
 * them: names with everything below them, addresses, ranges (`10.0.0.0/8`), and `*` for everything.
 * @param entries may contain several, separated by commas or spaces.
 */
export function bypassesProxy(origin: string, entries: readonly string[]): boolean {
  const { hostname, port, protocol } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const isAddress = isIP(host) !== 0;
  if (isAddress ? isIn(OWN_ADDRESSES, host) : OWN_NAME.test(host)) return true;
  const target = { host, isAddress, port: port || (DEFAULT_PORTS[protocol] ?? '') };
  return entries.flatMap((entry) => entry.split(/[,\s]+/)).some((entry) => matches(entry.trim().toLowerCase(), target));
}

interface ProxyTarget {
  readonly host: string;
  readonly isAddress: boolean;
  readonly port: string;
}

function matches(entry: string, { host, isAddress, port }: ProxyTarget): boolean {
  if (entry === '' || entry === '*') return entry === '*';
  // An address of the newer kind without brackets has no port.
  const isBare = isIP(entry) === 6;
  const [, name = '', range, ofPort] = isBare ? [entry, entry] : (ENTRY.exec(entry) ?? []);
  if (ofPort !== undefined && ofPort !== port) return false;
  if (isIP(name) !== 0) return isAddress && isIn(listOf(name, range), host);
  const plain = name.replace(/^\*?\./, '');
  return plain !== '' && (host === plain || (!isAddress && host.endsWith(`.${plain}`)));
}

function listOf(address: string, range: string | undefined): BlockList {
  const list = new BlockList();
  const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const bits = Number(range ?? (kind === 'ipv6' ? 128 : 32));
  if (bits <= (kind === 'ipv6' ? 128 : 32)) list.addSubnet(address, bits, kind);
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
