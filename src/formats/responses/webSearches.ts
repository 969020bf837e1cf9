import { isRecord, type JsonRecord } from '../json.ts';

/**
 * Returns the usage of an answer with the web searches that the service bills for it, under the name that other formats
 * have for them. Without a number, the items of the answer are counted: opening a page and searching in it are free.
 */
export function usageWithSearches(answer: JsonRecord): unknown {
  const { usage } = answer;
  if (!isRecord(usage)) return usage;
  const searches = webSearchesIn(answer);
  return searches === undefined ? usage : { ...usage, server_tool_use: { web_search_requests: searches } };
}

/** @returns undefined if the answer does not say. */
function webSearchesIn({ tool_usage: sums, output }: JsonRecord): number | undefined {
  const sum = isRecord(sums) && isRecord(sums.web_search) ? sums.web_search.num_requests : undefined;
  if (typeof sum === 'number') return sum;
  if (!Array.isArray(output) || output.length === 0) return undefined;
  return output.filter((item) => isRecord(item) && isSearch(item)).length;
}

function isSearch({ type, action }: JsonRecord): boolean {
  return type === 'web_search_call' && (!isRecord(action) || action.type === 'search');
}
