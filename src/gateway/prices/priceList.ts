import { defined, parseJson } from '../../formats/json.ts';
import { type Model, readModelCatalog } from '../../service/modelCatalog.ts';
import { type Prices, pricesOf } from '../../service/modelPrices.ts';
import type { WholeAnswer } from '../core/wholeAnswer.ts';

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

  /** Returns `undefined` if the upstream does not list the model. If the list cannot be read, uses the previous one. */
  async find(model: string): Promise<Listing | undefined> {
    if (!this.isFresh) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    return this.#listings.get(model);
  }

  /** Returns the cached listing. Starts to read the list if it was never read. */
  known(model: string): Listing | undefined {
    if (this.#holdsUntil === Number.NEGATIVE_INFINITY)
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
    return this.#listings.get(model);
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
