import { readAskedRequest } from '../keys/askedRequest.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import { checkModel } from '../keys/modelTerms.ts';
import { planRequest } from '../keys/requestPlan.ts';
import type { Bookkeeper } from '../ledger/bookkeeper.ts';
import { offersOf } from '../upstreams/offers.ts';
import type { Upstream, UpstreamRequest } from '../upstreams/upstream.ts';
import type { Exchange } from './exchange.ts';

/** A request whose body was read, and who is to answer it. */
export interface LimitedRequest {
  readonly key: KeyDetails;
  readonly request: UpstreamRequest & Required<Pick<UpstreamRequest, 'body'>>;
  readonly upstream: Upstream;
  readonly books: Bookkeeper;
}

/** Whether requests of this key must be read before they are sent. */
export function isLimited({ models, budget }: KeyDetails): boolean {
  return models !== undefined || budget !== undefined;
}

/** Asks the upstream if the key's list of models and its budget allow it. */
export async function askWithinLimits(exchange: Exchange, limited: LimitedRequest): Promise<void> {
  const { key, request, upstream, books } = limited;
  const { format } = exchange;
  const asked = readAskedRequest(request.body);
  if ('error' in asked) {
    exchange.refuse(asked);
    return;
  }
  const { model } = asked;
  exchange.model = model;
  const offers = model === undefined ? [] : offersOf(upstream, model);
  const refusal = checkModel(key, model, offers);
  if (refusal !== undefined) {
    exchange.refuse(refusal);
    return;
  }
  // Counting tokens costs nothing, nor does a model that nobody offers.
  if (key.budget === undefined || request.endpoint !== format.path || offers.length === 0) {
    exchange.ask(upstream, request, model);
    return;
  }
  const plan = planRequest(asked, request.body.length, format, await books.listings(offers));
  // Meanwhile the client may have left, or the key have been closed.
  if (exchange.isAnswered) return;
  const budgetRefusal = books.reserve(exchange.id, key, plan);
  if (budgetRefusal !== undefined) {
    exchange.refuse(budgetRefusal, 'budget');
    return;
  }
  exchange.plan = plan;
  exchange.ask(upstream, request, model);
}
