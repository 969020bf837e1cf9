import { type AskedRequest, readLongRequest } from '../budgets/askedRequest.ts';
import { findFormModel, hasOutput, isForm, isPassed, isPricedByToken } from '../core/passedEndpoint.ts';
import type { Refusal } from '../core/refusal.ts';
import type { UpstreamRequest } from '../core/upstream.ts';
import type { Listing } from '../prices/priceBook.ts';

/** Reads what decides about a request of a key with terms, whichever its endpoint. */
export async function readAsked(
  request: UpstreamRequest & Required<Pick<UpstreamRequest, 'body'>>,
): Promise<AskedRequest | Refusal> {
  const { endpoint, headers, body } = request;
  if (!isPassed(endpoint)) return readLongRequest(body);
  const asked = isForm(headers) ? ofForm(findFormModel(body, headers)?.name) : await readLongRequest(body);
  if ('error' in asked) return asked;
  const answers = answersOf(asked.body);
  // One token stands for none, which would not be a limit.
  const limit = hasOutput(endpoint) ? {} : { max_tokens: 1 };
  return { ...asked, body: { ...asked.body, ...limit, ...(answers > 1 && { n: answers }) } };
}

function ofForm(model: string | undefined): AskedRequest | Refusal {
  if (model !== undefined) return { body: { model }, model, fallbacks: [], toolModels: [] };
  const message = 'The form must have exactly one field "model".';
  return { error: { kind: 'invalidRequest', status: 400, param: 'model', message } };
}

/** The older completions answer each of several prompts, and may generate more answers than they return. */
function answersOf({ n, best_of: bestOf, prompt }: AskedRequest['body']): number {
  const counts = [n, bestOf].filter((each): each is number => typeof each === 'number');
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
  return Math.max(1, ...counts) * Math.max(1, prompts);
}

/** Prices of tokens do not apply to pictures and audio. */
export function listingFor({ endpoint }: UpstreamRequest, listing: Listing | undefined): Listing | undefined {
  if (!isPassed(endpoint) || isPricedByToken(endpoint) || listing?.requestPrice !== undefined) return listing;
  return undefined;
}
