import type { OutgoingHttpHeaders } from 'node:http';
import { isCost, type Usage } from '../../formats/usage.ts';

const COST_HEADER = 'x-litellm-response-cost';

/**
 * Returns the usage of an answer that is not a stream with the amount that a header reports, in US dollars, if the usage
 * reports none. The headers of a stream are sent before its cost is known.
 */
export function withHeaderCost(usage: Usage, headers: OutgoingHttpHeaders): Usage {
  const text = headers[COST_HEADER];
  if (typeof text !== 'string' || text.trim() === '' || usage.reportedCost !== undefined) return usage;
  const amount = Number(text);
  return isCost(amount) ? { ...usage, reportedCost: amount } : usage;
}
