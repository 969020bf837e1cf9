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

  allows(host: string | undefined): boolean {
    const name = host === undefined ? undefined : HOST.exec(host)?.[1];
    return name !== undefined && this.#names.has(name.toLowerCase());
  }
}
