import { isIP } from 'node:net';

/** Names under which a client on this machine reaches the gateway. */
const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

const HOST = /^(\[[\da-f:.]+\]|[^\s:/@[\]]+)(?::\d{1,5})?$/i;

/**
 * Names that the Host header may carry. A web page whose own name was made to point to 127.0.0.1 (DNS rebinding)
 * still sends that name, and is refused. The port is left open, since a forwarded port changes it.
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
   * A balancer asks for the health of an address, or names no host at all (HTTP/1.0). Neither can come from a page whose
   * name was made to point here.
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
