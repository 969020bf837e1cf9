/** Longer names are cut: the header is the caller's to choose. */
const MAX_NAME_LENGTH = 80;

const VERSION = /\/v?\d[^/]*$/i;

/**
 * The program that sent a request, from its User-Agent header: the first word without its version, `claude-cli` of
 * `claude-cli/2.1.197 (external)`. `undefined` when the header says nothing.
 */
export function clientName(userAgent: string | undefined): string | undefined {
  const [product = ''] = (userAgent ?? '').trim().split(/\s/, 1);
  const name = product.replace(VERSION, '').slice(0, MAX_NAME_LENGTH);
  return name === '' ? undefined : name;
}
