import { BlockList, isIP } from 'node:net';

/**
 * IPv4 networks of this machine, of local networks, and without public pages: RFC 791, 1918, 2544, 3927, 5771, 6598, 6890.
 */
const NETWORKS: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];

/** The same of IPv6, and the networks whose addresses lead to an IPv4 address that only a gateway knows. */
const NETWORKS_6: readonly (readonly [network: string, prefix: number])[] = [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
];

/** A network that has only IPv6 reaches IPv4 addresses under this prefix, public ones too. */
const TRANSLATED = '64:ff9b::';
const TRANSLATED_PREFIX = 96;

const LOCAL = new BlockList();
for (const [network, prefix] of NETWORKS) {
  LOCAL.addSubnet(network, prefix, 'ipv4');
  LOCAL.addSubnet(`${TRANSLATED}${network}`, TRANSLATED_PREFIX + prefix, 'ipv6');
}
for (const [network, prefix] of NETWORKS_6) LOCAL.addSubnet(network, prefix, 'ipv6');

/**
 * Whether an IP address is not on the internet: of this machine, of a local network, or of several machines. IPv4
 * addresses that are written as IPv6 (`::ffff:10.0.0.1`) are recognized by the platform.
 */
export function isLocalAddress(address: string): boolean {
  const [withoutZone = ''] = address.split('%');
  return LOCAL.check(withoutZone, isIP(withoutZone) === 6 ? 'ipv6' : 'ipv4');
}
