import { isIP } from 'node:net';

/** Names under which clients on this machine reach the gateway. */
const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

const HOST = /^(\[[\da-f:.]+\]|[^\s:/@[\]]+)(?::\d{1,5})?$/i;

/**
 * Names that the Host header may contain. A web page whose host name was made to resolve to 127.0.0.1 (DNS rebinding)
 * still sends that name, so it is refused. The port is not checked, because port forwarding changes it.
 */
export class HostList {
  readonly #names: ReadonlySet<string>;

  constructor(furtherNames: readonly string[]) {
    this.#names = new Set([...LOOPBACK_NAMES, ...furtherNames.map((name) => name.toLowerCase())]);
  }

  get hasFurtherNames(): boolean {
    return this.#names.size > LOOPBACK_NAMES.length;
  }

  allows(host: string | undefined): boolean {
    const name = nameIn(host);
    return name !== undefined && this.#names.has(name);
  }

  /**
   * Also allows IP addresses and a missing Host header, because a load balancer probes an address, or sends no Host
   * header at all (HTTP/1.0). Neither can come from a page that uses DNS rebinding.
   */
  allowsProbe(host: string | undefined): boolean {
    const name = nameIn(host);
    return host === undefined || (name !== undefined && (isAddress(name) || this.#names.has(name)));
  }
}

function nameIn(host: string | undefined): string | undefined {
  return host === undefined ? undefined : HOST.exec(host)?.[1]?.toLowerCase();
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}
