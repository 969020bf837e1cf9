/** The most that a request can use, as its budget must cover it. */
import type { WireFormat } from '../../formats/wireFormat.ts';
import { costInBillionths } from '../core/cost.ts';
import type { Listing } from '../prices/priceList.ts';
import { type AskedRequest, askedAnswers, askedOutputTokens } from './askedRequest.ts';
import type { PlannedRequest } from './budgets.ts';
import { estimateInput } from './inputEstimate.ts';

/** Reserved for an answer of which nobody says how long it may be; few are longer. */
const DEFAULT_LONGEST_OUTPUT = 32_000;

/**
 * @param bytes Length of the body.
 * @param listings What those who may be asked list for the model. The dearest counts, since a failure of one sends the
 * request to the next.
 */
export function planRequest(
  asked: AskedRequest,
  bytes: number,
  format: WireFormat,
  listings: readonly (Listing | undefined)[],
): PlannedRequest {
  const inputTokens = estimateInput(asked, bytes, format);
  const allowed = askedOutputTokens(asked, format.name) ?? DEFAULT_LONGEST_OUTPUT;
  const known = listings.filter((listing) => listing !== undefined);
  const longest =
    listings.length === 0 ? Infinity : Math.max(...listings.map((each) => each?.maxOutputTokens ?? Infinity));
  const maxOutputTokens = Math.ceil(Math.min(allowed, longest) * askedAnswers(asked, format.name));
  const costOf = (listing: Listing) => costInBillionths({ inputTokens, outputTokens: maxOutputTokens }, listing) ?? -1;
  const prices = known.toSorted((a, b) => costOf(b) - costOf(a))[0];
  return { model: asked.model ?? '', inputTokens, maxOutputTokens, ...(prices !== undefined && { prices }) };
}
