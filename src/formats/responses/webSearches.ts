import { isRecord, type JsonRecord } from '../json.ts';
import type { ShownSearch } from '../shownSearches.ts';

const COMPLETED = 'response.web_search_call.completed';
const ITEM_DONE = 'response.output_item.done';

/**
 * Returns the usage of an answer with the web searches that the service bills for it, under the name that other formats
 * have for them. Without a number, the items of the answer are counted: opening a page and searching in it are free.
 *
 * @param shown the number of searches that the events of a stream have shown. Some services omit them from the answer
 *   in the last event, or send it without any items.
 */
export function usageWithSearches(answer: JsonRecord, shown = 0): unknown {
  const { usage } = answer;
  if (!isRecord(usage)) return usage;
  const searches = webSearchesIn(answer, shown);
  return searches === undefined ? usage : { ...usage, server_tool_use: { web_search_requests: searches } };
}

/** @returns undefined if the answer does not say. */
function webSearchesIn({ tool_usage: sums, output }: JsonRecord, shown: number): number | undefined {
  const sum = isRecord(sums) && isRecord(sums.web_search) ? sums.web_search.num_requests : undefined;
  if (typeof sum === 'number') return sum;
  const items = Array.isArray(output) ? output : [];
  if (items.length === 0 && shown === 0) return undefined;
  return Math.max(shown, items.filter((item) => isRecord(item) && isCall(item) && !isFree(item)).length);
}

/** Reads a call of the web search from an event of a stream. */
export function searchIn({ type, item, output_index: place, item_id: named }: JsonRecord): ShownSearch | undefined {
  if (type === COMPLETED) return { id: `${place} ${named}` };
  if (type !== ITEM_DONE || !isRecord(item) || !isCall(item)) return undefined;
  return { id: `${place} ${item.id}`, isFree: isFree(item) };
}

function isCall({ type }: JsonRecord): boolean {
  return type === 'web_search_call';
}

function isFree({ action }: JsonRecord): boolean {
  return isRecord(action) && action.type !== 'search';
}
