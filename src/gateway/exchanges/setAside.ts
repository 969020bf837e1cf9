import type { FormatName } from '../../formats/conversation.ts';
import { ENDPOINT_PATHS } from '../../formats/wireFormat.ts';
import { type AskedRequest, askedAnswers, asksForUnlistedTier } from '../budgets/askedRequest.ts';
import { modelUnlisted } from '../budgets/budgetRefusal.ts';
import type { PlannedRequest, Room } from '../budgets/budgets.ts';
import {
  affordableOutput,
  limitsOutput,
  MIN_TOKENS,
  type OutputLimit,
  outputLimitOf,
  USEFUL_TOKENS,
  withOutputLimit,
} from '../budgets/outputLimit.ts';
import { planRequest } from '../budgets/requestPlan.ts';
import type { CappedSession } from '../budgets/sessionCaps.ts';
import { isCodex } from '../core/exchangeRecord.ts';
import { isPassed, isPricedByToken } from '../core/passedEndpoint.ts';
import type { Refusal } from '../core/refusal.ts';
import { type Offer, PAID_UPSTREAMS, type UpstreamRequest } from '../core/upstream.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import type { Listing } from '../prices/priceBook.ts';
import type { Exchange } from './exchange.ts';
import { type LimitedRequest, turnFor } from './limitedRequest.ts';

/** How often a reservation is lowered. A key and its team have at most three budgets each. */
const MAX_TRIES = 6;

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

export function hasBudget({ budgets, team }: KeyDetails): boolean {
  return budgets !== undefined || team?.budgets !== undefined;
}

function hasDollarBudget({ budgets = [], team }: KeyDetails): boolean {
  return [...budgets, ...(team?.budgets ?? [])].some(({ unit }) => unit === 'usd');
}

/** The maximum of a request that was reserved before it is sent, or why it may not be sent. */
export interface SetAside {
  readonly refusal?: Refusal | undefined;
  /** The maximum usage that counts toward a budget or a limit. */
  readonly plan?: PlannedRequest;
  /** How often the service may call its tools, if that must be added to the request. */
  readonly calls?: number | undefined;
  /** Set if the output must be limited. */
  readonly output?: OutputLimit | undefined;
}

export interface Asking {
  readonly asked: AskedRequest;
  readonly offers: readonly Offer[];
  /** The limits of tool calls that are tried, until a budget covers one. Undefined for none. */
  readonly callLimits: readonly (number | undefined)[];
  /** False for another attempt, whose output was limited before. */
  readonly mayLower: boolean;
}

/** Reserves what the request may use from the limits of the service key and from the budgets of its own key. */
export async function setAside(exchange: Exchange, asking: Asking, limited: LimitedRequest): Promise<SetAside> {
  const { key, books } = limited;
  const { asked, offers } = asking;
  const paid = offers.find(({ member }) => books.isLimiting && PAID_UPSTREAMS.has(member.upstream.id));
  const capped = cappedSession(exchange, limited);
  if (paid === undefined && capped === undefined && !hasBudget(key)) return {};
  const countsDollars = capped !== undefined || hasDollarBudget(key);
  if (countsDollars && asksForUnlistedTier(asked)) return { refusal: UNLISTED_TIER };
  if ((countsDollars || hasBudget(key)) && asked.toolModels.length > 0) return { refusal: TOOL_MODELS };
  const reached = paid && (await books.limitRefusal(paid));
  if (reached !== undefined) return { refusal: reached };
  const listings = await books.listings(offers);
  await turnFor(limited);
  // By now, the client may have disconnected, or the key may have been revoked.
  if (exchange.isAnswered) return {};
  if (countsDollars && books.areUnlisted(offers)) return { refusal: modelUnlisted(asked.model ?? '') };
  const planFor = planner(exchange, asking, limited, listings);
  const plan = capped !== undefined || hasBudget(key) ? planFor(asked, asking.callLimits[0]) : undefined;
  const reachedCap = capped && plan && (await books.admitToSession(exchange.id, capped, plan));
  if (reachedCap !== undefined) return { refusal: reachedCap };
  // A request at the cap may have waited for a decision of the user.
  if (exchange.isAnswered) return {};
  const ofPaid = paid && planFor(asked, asking.callLimits[0], ({ member }) => member === paid.member);
  const refusal = paid && ofPaid && (await books.admit(exchange.id, paid, ofPaid));
  // Unreported usage counts with the whole reservation. Otherwise, hidden reasoning would bypass every cap and limit.
  const known = plan ?? ofPaid;
  if (refusal !== undefined || plan === undefined || !hasBudget(key)) return { refusal, ...(known && { plan: known }) };
  return new Reserving(exchange, asking, limited, planFor).reserve(plan);
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

/** Plans the request with a limit of its tool calls, at all upstreams or some of them. */
type Planner = (asked: AskedRequest, calls: number | undefined, isMeant?: (offer: Offer) => boolean) => PlannedRequest;

function planner(
  { format }: Exchange,
  { offers, asked: { fallbacks } }: Asking,
  { key, request }: LimitedRequest,
  all: readonly (Listing | undefined)[],
): Planner {
  const marksCache = offers.some(({ member }) => member.upstream.marksCache === true);
  return (asked, addedLimit, isMeant = () => true) => {
    const from = offers.filter(isMeant);
    const listings = all.filter((_, at) => isMeant(offers[at] as Offer)).map((each) => listingFor(request, each));
    const kept = { marksCache, reservesAll: hasBudget(key), addedLimit, maxSpeeds: maxSpeedsOf(from) };
    const models = fallbacks.length === 0 ? undefined : from.map(({ model }) => model);
    return planRequest(asked, request.body.length, format, { ...kept, listings, ...(models && { models }) });
  };
}

function maxSpeedsOf(offers: readonly Offer[]): ReadonlyMap<string, number> {
  const speeds = offers.map(({ member: { upstream } }) => [upstream.id, upstream.maxTokensPerSecond] as const);
  return new Map(speeds.filter((each): each is [string, number] => each[1] !== undefined));
}

/** Prices of tokens do not apply to pictures and audio. */
function listingFor({ endpoint }: UpstreamRequest, listing: Listing | undefined): Listing | undefined {
  if (!isPassed(endpoint) || isPricedByToken(endpoint) || listing?.requestPrice !== undefined) return listing;
  return undefined;
}

/** Reserves from the budgets of a key: the whole maximum, or a lower one that they cover. */
class Reserving {
  readonly #exchange: Exchange;
  readonly #asked: AskedRequest;
  readonly #limited: LimitedRequest;
  readonly #planFor: Planner;
  readonly #format: FormatName;
  /** Whether the output may be limited so that a budget covers it. */
  readonly #canLower: boolean;
  readonly #callLimits: Asking['callLimits'];

  constructor(exchange: Exchange, { asked, mayLower, callLimits }: Asking, limited: LimitedRequest, planFor: Planner) {
    this.#exchange = exchange;
    this.#asked = asked;
    this.#limited = limited;
    this.#planFor = planFor;
    this.#callLimits = callLimits;
    this.#format = exchange.format.name;
    const { key, request } = limited;
    const isAnswer = request.endpoint === ENDPOINT_PATHS[this.#format] && request.subpath === '';
    this.#canLower = mayLower && isAnswer && (key.lowersLimits === true || !limitsOutput(asked));
  }

  async reserve(plan: PlannedRequest, [calls, ...fewer] = this.#callLimits): Promise<SetAside> {
    const lowers = this.#canLower && fewer.length === 0;
    const shortage = await this.#ask(lowers ? { ...plan, canBeLowered: true as const } : plan);
    if (shortage === undefined) return { plan, calls };
    if (fewer.length > 0) return await this.reserve(this.#planFor(this.#asked, fewer[0]), fewer);
    if (!lowers) return { refusal: shortage, plan, calls };
    const lower = await this.#reserveLower(plan, calls, shortage.room);
    if (lower !== undefined) return lower;
    const refusal = await this.#ask(plan);
    return (refusal && (await this.#reserveLeast(plan, calls))) ?? { refusal, plan, calls };
  }

  /**
   * Reserves less, for a lower limit of the output. Each of a key's budgets can lower it once, and so can requests that
   * reserve at the same time.
   */
  async #reserveLower(
    plan: PlannedRequest,
    calls: number | undefined,
    room: Room | undefined,
    tries = MAX_TRIES,
  ): Promise<SetAside | undefined> {
    const tokens = room && affordableOutput(plan, room, askedAnswers(this.#asked, this.#format));
    const lower = tokens === undefined ? undefined : this.#lowered(tokens, calls);
    if (lower === undefined || tries === 0 || this.#exchange.isAnswered) return undefined;
    const isHalf = lower.output.tokens > USEFUL_TOKENS && tries > 1;
    const shortage = await this.#ask(isHalf ? { ...lower.plan, canBeLowered: true } : lower.plan);
    return shortage === undefined ? lower : this.#reserveLower(lower.plan, calls, shortage.room, tries - 1);
  }

  /** Reserves as little as is useful, if need be after waiting for running requests. */
  async #reserveLeast({ maxOutputTokens }: PlannedRequest, calls: number | undefined): Promise<SetAside | undefined> {
    for (const tokens of [USEFUL_TOKENS, MIN_TOKENS]) {
      const isLower = tokens * askedAnswers(this.#asked, this.#format) < maxOutputTokens;
      const lower = isLower && !this.#exchange.isAnswered ? this.#lowered(tokens, calls) : undefined;
      if (lower !== undefined && (await this.#ask(lower.plan)) === undefined) return lower;
    }
    return undefined;
  }

  #lowered(tokens: number, calls: number | undefined) {
    const output = outputLimitOf(this.#asked, this.#format, tokens);
    return output && { plan: this.#planFor(withOutputLimit(this.#asked, output), calls), calls, output };
  }

  #ask(plan: PlannedRequest) {
    const { books, key } = this.#limited;
    return books.reserve(this.#exchange.id, key, plan, this.#exchange.at);
  }
}
