import { type AskedRequest, askedAnswers, askedOutputTokens } from '../budgets/askedRequest.ts';
import { probableInput } from '../budgets/inputEstimate.ts';
import { ADDED_LIMITS, lacksCallLimit } from '../budgets/modelTurns.ts';
import { withOutputLimit } from '../budgets/outputLimit.ts';
import { isFree, isPassed } from '../core/passedEndpoint.ts';
import type { Refusal } from '../core/refusal.ts';
import { type Offer, offersOf, type UpstreamRequest } from '../core/upstream.ts';
import { furtherTurns } from '../core/usagePlan.ts';
import { checkModel } from '../keys/allowedModels.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import type { Exchange } from './exchange.ts';
import { type LimitedRequest, readAsked, turnFor, withLimits } from './limitedRequest.ts';
import { type Asking, hasBudget, setAside } from './setAside.ts';

/**
 * Asks the upstream if the key's list of models, its limits and budgets, and the limits of the service key allow it.
 */
export async function askWithinLimits(exchange: Exchange, limited: LimitedRequest): Promise<void> {
  const { key, upstream } = limited;
  const asked = await readAsked(limited.request);
  if ('error' in asked) {
    exchange.refuse(asked);
    return;
  }
  // Translations do not need to parse it again.
  const request: UpstreamRequest = isPassed(limited.request.endpoint)
    ? limited.request
    : { ...limited.request, json: asked.body };
  const { model } = asked;
  exchange.model = model;
  await turnFor(limited);
  const offers = model === undefined ? [] : offersOf(upstream, model);
  const others = offers.flatMap(({ member }) => asked.fallbacks.map((fallback) => ({ member, model: fallback })));
  const ofTools = offers.flatMap(({ member }) => asked.toolModels.map((each) => ({ member, model: each })));
  const refusal = checkModel(key, model, offers) ?? checkFallbacks(key, [...others, ...ofTools]);
  if (refusal !== undefined) {
    exchange.refuse(refusal);
    return;
  }
  // Counting tokens is free, and so is a model that no upstream offers.
  if (isFree(request.endpoint) || (model !== undefined && offers.length === 0)) {
    exchange.ask(upstream, request, model);
    return;
  }
  const tooFast = await takeTurn(exchange, asked, limited);
  if (tooFast !== undefined) {
    exchange.refuse(tooFast);
    return;
  }
  await turnFor(limited);
  const addsLimit = mayAddLimit(key, request) && lacksCallLimit(asked, exchange.format.name);
  const callLimits = addsLimit ? ADDED_LIMITS : [undefined];
  await askReserved(exchange, request, { asked, offers: [...offers, ...others], callLimits, mayLower: true }, limited);
}

/** Asks the upstream, if the budgets cover the request, with the limits that they demand. */
async function askReserved(
  exchange: Exchange,
  request: UpstreamRequest,
  asking: Asking,
  limited: LimitedRequest,
): Promise<void> {
  const { key, upstream } = limited;
  const { asked } = asking;
  const { refusal, plan, calls, output } = await setAside(exchange, asking, limited);
  if (refusal !== undefined) {
    exchange.refuse(refusal, refusal.error.kind === 'notFound' ? 'refused' : 'budget');
    return;
  }
  if (plan !== undefined) exchange.further.limit(plan, limited.books.speeds);
  if (plan?.turns !== undefined && hasBudget(key)) {
    const { id, at } = exchange;
    exchange.further.ofTurns = async (turns) => limited.books.reserve(id, key, furtherTurns(plan, turns), at);
  }
  if (plan !== undefined || key.limits?.sessionDollars !== undefined) {
    const sent = output === undefined ? asked : withOutputLimit(asked, output);
    const again = { ...asking, asked: sent, callLimits: [calls], mayLower: false };
    exchange.further.ofAttempt = async () => (await setAside(exchange, again, limited)).refusal;
  }
  await turnFor(limited);
  exchange.outputLimit = output?.tokens;
  exchange.ask(upstream, withLimits(request, asked, { calls, output }, exchange.format.name), asked.model);
}

/** Whether the number of tool calls may be limited for this key. Compaction has no such limit and calls no tools. */
function mayAddLimit(key: KeyDetails, { endpoint, subpath }: UpstreamRequest): boolean {
  return hasBudget(key) && endpoint === '/responses' && subpath === '';
}

function checkFallbacks(key: KeyDetails, offers: readonly Offer[]): Refusal | undefined {
  return offers.map((offer) => checkModel(key, offer.model, [offer])).find((refusal) => refusal !== undefined);
}

/**
 * Waits in the queue of a key that has limits.
 * @returns the refusal if the request may not be sent.
 */
async function takeTurn(
  exchange: Exchange,
  asked: AskedRequest,
  { key, request, queues }: LimitedRequest,
): Promise<Refusal | undefined> {
  if (key.limits === undefined) return undefined;
  const { format } = exchange;
  const maxPerAnswer = askedOutputTokens(asked, format.name);
  const place = queues.enter(key, {
    id: exchange.id,
    format: format.name,
    model: asked.model ?? '',
    inputTokens: key.limits.tokensPerMinute === undefined ? 0 : probableInput(asked, request.body.length, format),
    maxOutputTokens: maxPerAnswer && maxPerAnswer * askedAnswers(asked, format.name),
  });
  if ('error' in place) return place;
  exchange.place = place;
  return await place.turn;
}
