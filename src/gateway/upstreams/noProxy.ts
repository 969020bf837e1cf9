import { BlockList, isIP } from 'node:net';

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
