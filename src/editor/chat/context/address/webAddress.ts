import * as l10n from '@vscode/l10n';

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

/**
 * Names and IP addresses of this machine and of local networks: RFC 1918, 3927, 4193, 6598, and names without a dot.
 */
const PRIVATE_HOSTS: readonly RegExp[] = [
  /^localhost$|\.localhost$|\.local$|\.internal$|\.home\.arpa$/,
  /^[^.:]+$/,
  /^(?:0|10|127)\.\d+\.\d+\.\d+$/,
  /^(?:192\.168|169\.254)\.\d+\.\d+$/,
  /^172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
  /^\[(?:::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*|::ffff:.*)\]$/,
];

/** Whether the address is on this machine or a local network. The URL parser has normalized IP addresses. */
export function isPrivate({ hostname }: URL): boolean {
  const host = hostname.replace(/\.$/, '');
  return PRIVATE_HOSTS.some((pattern) => pattern.test(host));
}
