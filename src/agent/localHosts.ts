import { isPrivate } from '../chat/context/address/webAddress.ts';
import { ToolError } from './tools/tool.ts';

/**
 * Public names that resolve to this machine or to a local network. A name must not be resolved before its host was
 * allowed, because the DNS query could transmit what the model has read. Therefore, the first call with such a name
 * fails, and the question for the next one shows the address.
 */
export class LocalHosts {
  readonly #addresses = new Map<string, string>();

  /** The subject of the question. An approval for a public name does not apply to its local address. */
  subjectOf(url: URL): string {
    const address = this.#addresses.get(url.hostname);
    if (address !== undefined) return `${url.origin} (${address})`;
    return isPrivate(url) ? url.origin : url.host;
  }

  /** Decides for a call at the address, for which the user is asked what `subjectOf` says now. */
  allowing(url: URL): (to: URL, address: string) => Promise<boolean> {
    const known = this.#addresses.get(url.hostname);
    return async (to, address) => {
      if (to.hostname === url.hostname && address === known) return true;
      this.#addresses.set(to.hostname, address);
      throw new ToolError(
        `${to.host} is ${address}, in the user's own network. Call the tool again if you need the page: the user is asked for that address.`,
      );
    };
  }
}
