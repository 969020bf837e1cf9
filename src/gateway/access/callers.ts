import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const LOOPBACK = /^(?:127\.|::1$)/;
/** How a socket that takes both kinds of addresses writes one of IPv4. */
const MAPPED = /^::ffff:(?=\d+\.)/i;
/** An address with the port that some proxies add. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/i;

export interface AddressRange {
  readonly address: string;
  /** Bits that all addresses of the range have in common. */
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** A range such as `10.0.0.0/8`, or a single address; `undefined` for any other text. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined;
  const max = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? max : Number(bits);
  return prefix > max ? undefined : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/**
 * Who sent a request, and how. A proxy in front of the gateway says so in `X-Forwarded-For` and `X-Forwarded-Proto`,
 * which anybody else could write as well: only the headers of trusted proxies count.
 */
export class Callers {
  readonly #proxies = new BlockList();
  readonly #hasProxies: boolean;
  readonly #report: (message: string) => void;
  #isPlainReported = false;

  /**
   * @param proxies addresses and ranges as {@link parseAddressRange} reads them.
   * @param report called with a line for a person.
   */
  constructor(proxies: readonly string[], report: (message: string) => void) {
    this.#report = report;
    for (const text of proxies) {
      const range = parseAddressRange(text);
      if (range === undefined) throw new Error(`${text} is not an address or a range of addresses.`);
      this.#proxies.addSubnet(range.address, range.prefix, range.family);
    }
    this.#hasProxies = proxies.length > 0;
  }

  /** The address of the last sender that is not a trusted proxy; `undefined` for programs of this machine. */
  addressOf({ socket, headers }: IncomingMessage): string | undefined {
    let address = plainAddress(socket.remoteAddress ?? '');
    const hops = this.#hasProxies ? String(headers['x-forwarded-for'] ?? '').split(',') : [];
    while (hops.length > 0 && this.#trusts(address)) {
      const hop = plainAddress(hops.pop()?.trim() ?? '');
      if (isIP(hop) === 0) break;
      address = hop;
    }
    return LOOPBACK.test(address) ? undefined : address;
  }

  /** As the caller wrote the address: a proxy usually takes `https` and passes `http` on. */
  schemeOf({ socket, headers }: IncomingMessage): 'http' | 'https' {
    if (!this.#hasProxies || !this.#trusts(plainAddress(socket.remoteAddress ?? ''))) return 'http';
    const [first = ''] = String(headers['x-forwarded-proto'] ?? '').split(',');
    return first.trim().toLowerCase() === 'https' ? 'https' : 'http';
  }

  /** Reports the first request that a trusted proxy took unencrypted. */
  checkScheme(request: IncomingMessage): void {
    if (!this.#hasProxies || this.#isPlainReported || request.headers['x-forwarded-proto'] === undefined) return;
    const proxy = plainAddress(request.socket.remoteAddress ?? '');
    if (this.schemeOf(request) === 'https' || !this.#trusts(proxy)) return;
    this.#isPlainReported = true;
    this.#report(
      `A request reached the proxy ${proxy} over http://, where its key can be read on the way. Use https:// there.`,
    );
  }

  #trusts(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#proxies.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}

function plainAddress(text: string): string {
  const match = WITH_PORT.exec(text);
  return (match?.[1] ?? match?.[2] ?? text).replace(MAPPED, '');
}
