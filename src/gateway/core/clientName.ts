/** Longer names are truncated, because callers choose the header. */
const MAX_NAME_LENGTH = 80;

const VERSION = /\/v?\d[^/]*$/i;

/**
 * Returns the name of the program that sent a request: the first word of its User-Agent header without the version,
 * such as `claude-cli` for `claude-cli/2.1.197 (external)`. Returns `undefined` if the header is missing or empty.
 */
export function clientName(userAgent: string | undefined): string | undefined {
  const [product = ''] = (userAgent ?? '').trim().split(/\s/, 1);
  const name = product.replace(VERSION, '').slice(0, MAX_NAME_LENGTH);
  return name === '' ? undefined : name;
}

/** Whether Codex sent the request. It interprets some headers and refusals differently than other agents. */
export function isCodex(headers: Readonly<Record<string, unknown>>): boolean {
  const names = [headers['user-agent'], headers.originator];
  const isNamed = names.some((name) => typeof name === 'string' && name.toLowerCase().startsWith('codex'));
  return isNamed || 'x-codex-turn-metadata' in headers;
}
