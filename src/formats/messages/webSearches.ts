import { isRecord, type JsonRecord } from '../json.ts';
import type { ShownSearch } from '../shownSearches.ts';

/**
 * Returns usage from the end of an answer with its web searches. The vendor reports their number, but some compatible
 * services only show the calls.
 *
 * @param shown the number of searches that the answer has shown.
 */
export function usageWithSearches<Usage extends JsonRecord>(usage: Usage, shown: number): Usage {
  const { server_tool_use: reported } = usage;
  if (shown === 0 || (isRecord(reported) && typeof reported.web_search_requests === 'number')) return usage;
  return { ...usage, server_tool_use: { web_search_requests: shown } };
}

export function searchIn({ type, index, content_block: block }: JsonRecord): ShownSearch | undefined {
  if (type !== 'content_block_start' || !isRecord(block) || !isSearch(block)) return undefined;
  return { id: String(block.id ?? index), isFree: false };
}

export function searchesIn(content: unknown): number {
  return Array.isArray(content) ? content.filter((block) => isRecord(block) && isSearch(block)).length : 0;
}

function isSearch({ type, name }: JsonRecord): boolean {
  return type === 'server_tool_use' && name === 'web_search';
}
