import { isIP } from 'node:net';
import * as l10n from '@vscode/l10n';
import { isLocalAddress } from './localAddress.ts';

/** Whether the text after the `@` is meant to be an address. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^/\s]/i.test(text);
}

/** @throws with a message for the user if the text of the address cannot be attached. */
export function parseWebAddress(text: string): URL {
  const url = URL.parse(text.trim());
  if (url === null) throw new Error(l10n.t('“{0}” is not a valid address.', text));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new Error(l10n.t('Only addresses that start with https:// or http:// can be attached.'));
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error(l10n.t('The address contains a user name or password. Remove it from the address.'));
  }
  url.hash = '';
  return url;
}

/** Names of this machine and of local networks, including those without a dot. */
const LOCAL_NAMES: readonly RegExp[] = [/^localhost$|\.localhost$|\.local$|\.internal$|\.home\.arpa$/, /^[^.:]+$/];

/**
 * Whether the address names this machine or a local network. The URL parser has normalized IP addresses. Where another
 * name leads is known only when it is resolved.
 */
export function isPrivate({ hostname }: URL): boolean {
  const host = hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? LOCAL_NAMES.some((pattern) => pattern.test(host)) : isLocalAddress(host);
}
