import { defined, parseJson } from '../../formats/json.ts';
import { type Model, readModelCatalog } from '../../service/modelCatalog.ts';
import { type Prices, pricesOf } from '../../service/modelPrices.ts';
import type { Offer, UpstreamMember } from '../core/upstream.ts';
import { askWhole, type WholeAnswer } from '../core/wholeAnswer.ts';

/**
 * A model in an upstream's list: its prices, its context window and longest answer in tokens, and whether it can reason.
 */
export interface Listing extends Prices {
  readonly reasoning?: boolean;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
}

const KEPT_MS = 10 * 60 * 1000;
/** Delay before a list that could not be read is requested again. Some servers have no list. */
const RETRY_MS = 60 * 1000;

const TIMEOUT_MS = 2_000;

/** Sent as the local key's ID when the gateway itself requests a list of models. */
const LOCAL_KEY_ID = 'prices';

export class PriceBook {
  readonly #lists = new WeakMap<UpstreamMember['upstream'], PriceList>();

  /** Returns the listing of a model, or `undefined` if its upstream does not list it. Takes at most two seconds. */
  async find({ member, model }: Offer): Promise<Listing | undefined> {
    return withOwn(await this.#listOf(member).find(model), member, model);
  }

  /** Returns what {@link find} would find without reading the list, or `undefined` if it has to be read. */
  fresh({ member, model }: Offer): { readonly listing: Listing | undefined } | undefined {
    const list = this.#listOf(member);
    if (!list.isFresh) return undefined;
    const listing = list.known(model);
    return { listing: member.priceOf === undefined ? listing : withOwn(listing, member, model) };
  }

  /** Returns what has been read so far, without waiting. Starts to read the list if it was never read. */
  known({ member, model }: Offer): Listing | undefined {
    const listing = this.#listOf(member).known(model);
    return member.priceOf === undefined ? listing : withOwn(listing, member, model);
  }

  /** Whether the upstream's list was read and does not have the model, and its operator has set no price. */
  isUnlisted({ member, model }: Offer): boolean {
    return this.#listOf(member).isUnlisted(model) && member.priceOf?.(model) === undefined;
  }

  #listOf(member: UpstreamMember): PriceList {
    const known = this.#lists.get(member.upstream);
    if (known !== undefined) return known;
    const list = new PriceList(() => askWhole(member.upstream, member.modelsRequest(LOCAL_KEY_ID), TIMEOUT_MS));
    this.#lists.set(member.upstream, list);
    return list;
  }
}

/** What the operator has set replaces the prices of the upstream's list. */
function withOwn(listing: Listing | undefined, member: UpstreamMember, model: string): Listing | undefined {
  const own = member.priceOf?.(model);
  if (own === undefined) return listing;
  const { contextWindow, maxOutputTokens } = listing ?? {};
  return { ...own, ...defined({ contextWindow, maxOutputTokens }) };
}

/**
 * The prices of one upstream's models, from its own list of models. The list is read when it is first needed, then
 * cached.
 */
export class PriceList {
  readonly #ask: () => Promise<WholeAnswer | undefined>;
  readonly #now: () => number;
  #listings: ReadonlyMap<string, Listing> = new Map();
  #reading: Promise<void> | undefined;
  /** When the cached listings expire, on the clock of `now`. */
  #holdsUntil = Number.NEGATIVE_INFINITY;

  /**
   * @param ask requests the list of models; returns `undefined` if it is not available.
   * @param now returns milliseconds of a monotonic clock.
   */
  constructor(ask: () => Promise<WholeAnswer | undefined>, now: () => number = performance.now.bind(performance)) {
    this.#ask = ask;
    this.#now = now;
  }

  /** Whether the cached listings are those that {@link find} would return. */
  get isFresh(): boolean {
    return this.#now() < this.#holdsUntil;
  }

  /** Whether the list was read, has models, and does not have this one. */
  isUnlisted(model: string): boolean {
    return this.#listings.size > 0 && !this.#listings.has(model);
  }

  /** Returns `undefined` if the upstream does not list the model. If the list cannot be read, uses the previous one. */
  async find(model: string): Promise<Listing | undefined> {
    if (!this.isFresh) await this.#startReading();
    return this.#listings.get(model);
  }

  /** Returns the cached listing. Starts to read the list if it was never read. */
  known(model: string): Listing | undefined {
    if (this.#holdsUntil === Number.NEGATIVE_INFINITY) this.#startReading();
    return this.#listings.get(model);
  }

  #startReading(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const answer = await this.#ask();
    const body = answer?.status === 200 ? parseJson(answer.body.toString()) : undefined;
    this.#holdsUntil = this.#now() + (body === undefined ? RETRY_MS : KEPT_MS);
    if (body === undefined) return;
    const { models } = readModelCatalog(body);
    this.#listings = new Map(models.map((model) => [model.id, listingOf(model)]));
  }
}

function listingOf(model: Model): Listing {
  const { contextWindow, maxOutputTokens, reasoning } = model;
  return { ...pricesOf(model), ...defined({ contextWindow, maxOutputTokens, reasoning }) };
}
