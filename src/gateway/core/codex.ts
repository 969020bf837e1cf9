import type { IncomingHttpHeaders } from 'node:http';

/** Whether Codex sent the request. It interprets some headers and refusals differently than other agents. */
export function isCodex(headers: IncomingHttpHeaders): boolean {
  const names = [headers['user-agent'], headers.originator];
  const isNamed = names.some((name) => typeof name === 'string' && name.toLowerCase().startsWith('codex'));
  return isNamed || 'x-codex-turn-metadata' in headers;
}
