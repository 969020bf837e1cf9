import * as l10n from '@vscode/l10n';
/** Normalizes the service's base address as the user typed or pasted it. */

export type ParsedBaseAddress =
  /** The address without a trailing slash. */
  { readonly ok: true; readonly address: string } | { readonly ok: false; readonly problem: string };

/** The path prefix from the specification. */
const PREFIX = '/api/v1';

/** Endpoint paths that may be pasted with the base address, longest first. */
const ENDPOINTS = /\/(?:chat\/completions|messages\/count_tokens|messages|responses|models|balance)\/*$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** @param host as in a URL, with the brackets of IPv6. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Removes trailing slashes and an endpoint's path, and adds a missing `https://` to a name that contains a dot. */
export function normalizeBaseAddress(text: string): ParsedBaseAddress {
  const typed = text.trim().replaceAll(/^["'`<]+|["'`>]+$/g, '');
  if (typed === '') return refused(l10n.t('Enter the service’s base address, such as https://example.com/api/v1.'));
  const url = parseUrl(typed);
  if (url === undefined)
    return refused(l10n.t('This is not a web address. Enter an address such as https://example.com/api/v1.'));
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused(l10n.t('The address must start with https.'));
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return refused(l10n.t('The address must start with https so that nobody can read the key in transit.'));
  }
  if (url.username !== '' || url.password !== '') {
    return refused(l10n.t('The address contains a user name or password. Remove it; you enter the key separately.'));
  }
  const path = url.pathname
    .replace(ENDPOINTS, '')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  return { ok: true, address: url.origin + path };
}

/**
 * Returns the addresses that the user may have meant, most likely first: as typed, and with `/api/v1` appended if it is
 * missing. Empty if the text is not a usable address.
 */
export function baseAddressCandidates(text: string): readonly string[] {
  const parsed = normalizeBaseAddress(text);
  if (!parsed.ok) return [];
  const { address } = parsed;
  if (address.endsWith(PREFIX)) return [address];
  const completed = address.endsWith('/api') ? `${address}/v1` : address + PREFIX;
  return new URL(address).pathname === '/' ? [completed, address] : [address, completed];
}

function parseUrl(typed: string): URL | undefined {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(typed);
  const local = /^(?:localhost|127\.|\[::1\])/i.test(typed);
  const whole = hasScheme ? typed : `${local ? 'http' : 'https'}://${typed}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  return hasScheme || local || url?.hostname.includes('.') ? url : undefined;
}

function refused(problem: string): ParsedBaseAddress {
  return { ok: false, problem };
}
