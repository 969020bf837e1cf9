import type { FormatName } from '../../formats/conversation.ts';
import { ENDPOINT_PATHS } from '../../formats/wireFormat.ts';
import type { Room } from '../budgets/account.ts';
import {
  type AskedRequest,
  askedAnswers,
  askedOutputTokens,
  asksForUnlistedTier,
  readLongRequest,
} from '../budgets/askedRequest.ts';
import type { PlannedRequest } from '../budgets/budgets.ts';
import { probableInput } from '../budgets/inputEstimate.ts';
import { ADDED_LIMITS, bytesWithCallLimit, lacksCallLimit, withCallLimit } from '../budgets/modelTurns.ts';
import { affordableOutput, bytesWithMembers, limitsOutput, outputLimitMembers } from '../budgets/outputLimit.ts';
import { planRequest } from '../budgets/requestPlan.ts';
import type { CappedSession } from '../budgets/sessionCaps.ts';
import { isCodex } from '../core/clientName.ts';
import { findFormModel, hasOutput, isForm, isPassed, isPricedByToken } from '../core/passedEndpoint.ts';
import type { Refusal } from '../core/refusal.ts';
import { type Offer, offersOf, PAID_UPSTREAMS, type Upstream, type UpstreamRequest } from '../core/upstream.ts';
import { furtherTurns } from '../core/usagePlan.ts';
import { isLong, nextTurn } from '../http/turns.ts';
import { checkModel } from '../keys/allowedModels.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import type { Listing } from '../prices/priceBook.ts';
import type { Queues } from '../rateLimits/requestQueues.ts';
import type { Books } from './books.ts';
import type { Exchange } from './exchange.ts';

/** A request whose body was read, and the upstream that is to answer it. */
export interface LimitedRequest {
  readonly key: KeyDetails;
  readonly request: UpstreamRequest & Required<Pick<UpstreamRequest, 'body'>>;
  readonly upstream: Upstream;
  readonly books: Books;
  readonly queues: Queues;
  /** Whether the session of the request was ended while it waited. */
  readonly hasSessionEnded: () => boolean;
}

/** A key and its team have at most three budgets each. */
const MAX_BUDGETS = 6;

function hasBudget({ budgets, team }: KeyDetails): boolean {
  return budgets !== undefined || team?.budgets !== undefined;
}

function hasDollarBudget({ budgets = [], team }: KeyDetails): boolean {
  return [...budgets, ...(team?.budgets ?? [])].some(({ unit }) => unit === 'usd');
}

const UNLISTED_TIER: Refusal = {
  error: {
    kind: 'invalidRequest',
    status: 400,
    message:
      'A key with a budget or a cap in dollars cannot use a service tier, speed, or region with its own price ("service_tier": "priority", "speed": "fast", "inference_geo": "us"), because that price is unknown. Remove it.',
    param: 'service_tier',
  },
};

const TOOL_MODELS: Refusal = {
  error: {
    kind: 'invalidRequest',
    status: 400,
    message:
      'A key with a budget or a cap cannot use hosted tools that call another model ("model" in a tool), because the service does not report the usage of that model. Remove them.',
    param: 'tools',
  },
};

/** Returns the refusal if the form of a request is not allowed for a key with terms. */
export async function refusalOfForm(body: Buffer): Promise<Refusal | undefined> {
  const asked = await readLongRequest(body);
  return 'error' in asked ? asked : undefined;
}

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
  if (request.endpoint === '/messages/count_tokens' || (model !== undefined && offers.length === 0)) {
    exchange.ask(upstream, request, model);
    return;
  }
  const tooFast = await takeTurn(exchange, asked, limited);
  if (tooFast !== undefined) {
    exchange.refuse(tooFast);
    return;
  }
  await turnFor(limited);
  const limits: readonly (number | undefined)[] =
    mayAddLimit(key, request) && lacksCallLimit(asked, exchange.format.name) ? ADDED_LIMITS : [undefined];
  const all = [...offers, ...others];
  const { refusal: shortage, plan, addedLimit, lowered } = await setAside(exchange, asked, all, limited, limits);
  if (shortage !== undefined) {
    exchange.refuse(shortage, 'budget');
    return;
  }
  if (plan !== undefined) exchange.further.limit(plan, limited.books.speeds);
  if (plan?.turns !== undefined && hasBudget(key)) {
    const { id, at } = exchange;
    exchange.further.ofTurns = async (turns) => limited.books.reserve(id, key, furtherTurns(plan, turns), at);
  }
  if (plan !== undefined || key.limits?.sessionDollars !== undefined) {
    const kept = lowered === undefined ? asked : { ...asked, body: { ...asked.body, ...lowered } };
    exchange.further.ofAttempt = async () =>
      (await setAside(exchange, kept, all, limited, [addedLimit], false)).refusal;
  }
  await turnFor(limited);
  const sent = lowered === undefined ? request : loweredRequest(request, asked, lowered);
  if (lowered !== undefined) exchange.outputLimit = Object.values(lowered)[0];
  exchange.ask(upstream, addedLimit === undefined ? sent : limitedRequest(sent, asked, addedLimit, lowered), model);
}

/** Whether the number of tool calls may be limited for this key. Compaction has no such limit and calls no tools. */
function mayAddLimit(key: KeyDetails, { endpoint, subpath }: UpstreamRequest): boolean {
  return hasBudget(key) && endpoint === '/responses' && subpath === '';
}

/** The members that limit the output to what the budget covers, with their values. */
type LoweredLimits = Readonly<Record<string, number>>;

function loweredRequest(
  request: UpstreamRequest,
  { body: json }: AskedRequest,
  lowered: LoweredLimits,
): UpstreamRequest {
  const { body } = request;
  if (body === undefined) return request;
  return { ...request, body: bytesWithMembers(body, lowered), json: { ...json, ...lowered } };
}

/** Whether the output of a request may be limited so that the budget covers it. */
function mayLower(asked: AskedRequest, { key, request }: LimitedRequest, format: FormatName): boolean {
  const isAnswer = request.endpoint === ENDPOINT_PATHS[format] && request.subpath === '';
  return isAnswer && hasBudget(key) && (key.lowersLimits === true || !limitsOutput(asked));
}

/** Only a stream shows the calls of an upstream that refuses the limit. */
function limitedRequest(
  request: UpstreamRequest,
  asked: AskedRequest,
  calls: number,
  lowered: LoweredLimits | undefined,
): UpstreamRequest {
  const { body } = request;
  if (body === undefined) return request;
  return {
    ...request,
    body: bytesWithCallLimit(body, calls),
    json: { ...withCallLimit(asked, calls).body, ...lowered },
    ...(asked.body.stream === true && { unlimitedBody: body }),
  };
}

/** What is done with a long body takes a while, step by step. */
async function turnFor({ request: { body } }: LimitedRequest): Promise<void> {
  if (isLong(body)) await nextTurn();
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

function maxSpeedsOf(offers: readonly Offer[]): ReadonlyMap<string, number> {
  const speeds = offers.map(({ member: { upstream } }) => [upstream.id, upstream.maxTokensPerSecond] as const);
  return new Map(speeds.filter((each): each is [string, number] => each[1] !== undefined));
}

interface SetAside {
  /** Set if the request may not be sent. */
  readonly refusal?: Refusal | undefined;
  /** The maximum usage that counts toward a budget or a limit. */
  readonly plan?: PlannedRequest;
  /** The limit of tool calls that must be added to the request. */
  readonly addedLimit?: number | undefined;
  /** Set if the output must be limited. */
  readonly lowered?: LoweredLimits | undefined;
}

/** The session of the request, if the key has a cap for sessions. */
function cappedSession(
  exchange: Exchange,
  { key: { id: keyId, name, limits }, request: { session, headers, body }, hasSessionEnded }: LimitedRequest,
): CappedSession | undefined {
  const cap = limits?.sessionDollars;
  const sessionId = session?.ids?.sessionId;
  if (cap === undefined || sessionId === undefined) return undefined;
  return {
    sessionId,
    cap,
    keyId,
    keyName: name,
    isCodex: isCodex(headers),
    bytes: body.length,
    isOver: () => exchange.isAnswered,
    hasEnded: hasSessionEnded,
  };
}

/** Reserves what the request may use from the limits of the service key and from the budgets of its own key. */
async function setAside(
  exchange: Exchange,
  asked: AskedRequest,
  offers: readonly Offer[],
  limited: LimitedRequest,
  [addedLimit, ...lowerLimits]: readonly (number | undefined)[],
  canLower = mayLower(asked, limited, exchange.format.name),
): Promise<SetAside> {
  const { key, request, books } = limited;
  const paid = offers.find(({ member }) => books.isLimiting && PAID_UPSTREAMS.has(member.upstream.id));
  const capped = cappedSession(exchange, limited);
  if (paid === undefined && capped === undefined && !hasBudget(key)) return {};
  const countsDollars = capped !== undefined || hasDollarBudget(key);
  if (countsDollars && asksForUnlistedTier(asked)) return { refusal: UNLISTED_TIER };
  if ((countsDollars || hasBudget(key)) && asked.toolModels.length > 0) return { refusal: TOOL_MODELS };
  const reached = paid && (await books.limitRefusal(paid));
  if (reached !== undefined) return { refusal: reached };
  const listings = (await books.listings(offers)).map((listing) => listingFor(request, listing));
  await turnFor(limited);
  // By now, the client may have disconnected, or the key may have been revoked.
  if (exchange.isAnswered) return {};
  const marksCache = offers.some(({ member }) => member.upstream.marksCache === true);
  const planFor = (known: typeof listings, from: readonly Offer[], callLimit = addedLimit, of = asked) => {
    const models = asked.fallbacks.length === 0 ? undefined : from.map(({ model }) => model);
    const kept = { marksCache, reservesAll: hasBudget(key), addedLimit: callLimit, maxSpeeds: maxSpeedsOf(from) };
    const planned = { ...kept, listings: known, ...(models && { models }) };
    return planRequest(of, request.body.length, exchange.format, planned);
  };
  const plan = capped !== undefined || hasBudget(key) ? planFor(listings, offers) : undefined;
  const reachedCap = capped && plan && (await books.admitToSession(exchange.id, capped, plan));
  if (reachedCap !== undefined) return { refusal: reachedCap };
  // A request at the cap may have waited for a decision of the user.
  if (exchange.isAnswered) return {};
  const paidOffers = offers.filter(({ member }) => member === paid?.member);
  const ofPaid =
    paid &&
    planFor(
      listings.filter((_, index) => offers[index]?.member === paid.member),
      paidOffers,
    );
  const refusal = paid && ofPaid && (await books.admit(exchange.id, paid, ofPaid));
  // Unreported usage counts with the whole reservation. Otherwise, hidden reasoning would bypass every cap and limit.
  const known = plan ?? ofPaid;
  if (refusal !== undefined || plan === undefined || !hasBudget(key)) return { refusal, ...(known && { plan: known }) };
  return reserve(plan);

  async function reserve(
    planned: PlannedRequest,
    limit = addedLimit,
    [next, ...lower] = lowerLimits,
  ): Promise<SetAside> {
    const lowers = canLower && next === undefined;
    const first = lowers ? { ...planned, canBeLowered: true as const } : planned;
    const shortage = await books.reserve(exchange.id, key, first, exchange.at);
    if (shortage === undefined) return { plan: planned, addedLimit: limit };
    if (next !== undefined) return await reserve(planFor(listings, offers, next), next, lower);
    const lowered = lowers ? await reserveLower(planned, limit, shortage.room) : undefined;
    if (lowered !== undefined) return lowered;
    const refusal = lowers ? await books.reserve(exchange.id, key, planned, exchange.at) : shortage;
    return { refusal, plan: planned, addedLimit: limit };
  }

  /** Reserves less, for a lower limit of the output. Each of a key's budgets can lower it once. */
  async function reserveLower(
    planned: PlannedRequest,
    limit: number | undefined,
    room: Room | undefined,
    tries = MAX_BUDGETS,
  ): Promise<SetAside | undefined> {
    const tokens = room && affordableOutput(planned, room, askedAnswers(asked, exchange.format.name));
    const lowered = tokens && outputLimitMembers(asked, exchange.format.name, tokens);
    if (!lowered || tries === 0 || exchange.isAnswered) return undefined;
    const lower = planFor(listings, offers, limit, { ...asked, body: { ...asked.body, ...lowered } });
    const shortage = await books.reserve(exchange.id, key, lower, exchange.at);
    if (shortage !== undefined) return reserveLower(lower, limit, shortage.room, tries - 1);
    return { plan: lower, addedLimit: limit, lowered };
  }
}

/** Reads what decides about a request of a key with terms, whichever its endpoint. */
async function readAsked(
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
function listingFor({ endpoint }: UpstreamRequest, listing: Listing | undefined): Listing | undefined {
  if (!isPassed(endpoint) || isPricedByToken(endpoint) || listing?.requestPrice !== undefined) return listing;
  return undefined;
}
