import type { IncomingHttpHeaders } from 'node:http';

/** Whether Codex sends the request: it reads some headers and refusals differently from other agents. */
export function isCodex(headers: IncomingHttpHeaders): boolean {
  const names = [headers['user-agent'], headers.originator];
  const isNamed = names.some((name) => typeof name === 'string' && name.toLowerCase().startsWith('codex'));
  return isNamed || 'x-codex-turn-metadata' in headers;
}
