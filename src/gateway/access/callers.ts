import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const LOOPBACK = /^(?:127\.|::1$)/;
/** An IPv4 address as a dual-stack socket reports it. */
const MAPPED = /^::ffff:(?=\d+\.)/i;
/** An address with a port, as some proxies write it. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/i;

export interface AddressRange {
  readonly address: string;
  /** Number of leading bits that all addresses of the range share. */
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Parses a range such as `10.0.0.0/8`, or a single address. Returns `undefined` for any other text. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined;
  const max = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? max : Number(bits);
  return prefix > max ? undefined : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/**
 * The address and the scheme of a request's sender. A proxy in front of the gateway states them in `X-Forwarded-For`
 * and `X-Forwarded-Proto`. Any client could send these headers, so only those of trusted proxies are read.
 */
export class Callers {
  readonly #proxies = new BlockList();
  readonly #hasProxies: boolean;
  readonly #report: (message: string) => void;
  #isPlainReported = false;

  /**
   * @param proxies addresses and ranges, in the form that {@link parseAddressRange} reads.
   * @param report called with a message for the user.
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

  /**
   * Returns the address of the last sender that is not a trusted proxy, or `undefined` for programs on this machine.
   */
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

  /** Returns the scheme that the caller used. A proxy usually accepts `https` and forwards `http`. */
  schemeOf({ socket, headers }: IncomingMessage): 'http' | 'https' {
    if (!this.#hasProxies || !this.#trusts(plainAddress(socket.remoteAddress ?? ''))) return 'http';
    const [first = ''] = String(headers['x-forwarded-proto'] ?? '').split(',');
    return first.trim().toLowerCase() === 'https' ? 'https' : 'http';
  }

  /** Reports the first request that a trusted proxy received unencrypted, by its `X-Forwarded-Proto`. */
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
