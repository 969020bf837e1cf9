import type { Upstream, UpstreamRequest } from '../core/upstream.ts';
import type { Books } from '../exchanges/books.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { AllowedModels } from '../keys/allowedModels.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import { modelsFor } from './agentModels.ts';

/** Answers a request that only reads: by the gateway itself if it asks for the balance of a key with budgets. */
export async function answerReading(
  exchange: Exchange,
  request: UpstreamRequest,
  key: KeyDetails,
  { upstream, books }: { readonly upstream: Upstream; readonly books: Books },
): Promise<void> {
  const { endpoint, subpath } = request;
  const balance = endpoint === '/balance' ? await books.balance(key) : {};
  const isFiltered = endpoint === '/models' && key.models !== undefined;
  const allowed = isFiltered ? new AllowedModels(upstream, key) : undefined;
  const refusal = balance.refusal ?? allowed?.refusalOf(subpath);
  if (balance.body !== undefined) exchange.respond(balance.body);
  else if (refusal !== undefined) exchange.refuse(refusal);
  else exchange.ask(modelsFor(request, allowed ?? upstream), request);
}
