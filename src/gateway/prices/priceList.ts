import { defined } from '../../formats/defined.ts';
import { parseJson } from '../../service/json.ts';
import { type Model, readModelCatalog } from '../../service/modelCatalog.ts';
import { type Prices, pricesOf } from '../../service/modelPrices.ts';
import type { WholeAnswer } from '../core/wholeAnswer.ts';

/** What an upstream's list says of a model: its prices, how much it can read and how long its answers may be, in tokens. */
export interface Listing extends Prices {
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
}

const KEPT_MS = 10 * 60 * 1000;
/** A list that could not be read is asked for again after this; not every server has one. */
const RETRY_MS = 60 * 1000;

/** What the models of one upstream cost, by its own list of models: read when first asked for, then kept for a while. */
export class PriceList {
  readonly #ask: () => Promise<WholeAnswer | undefined>;
  readonly #now: () => number;
  #listings: ReadonlyMap<string, Listing> = new Map();
  #reading: Promise<void> | undefined;
  /** Until when what is known holds. */
  #holdsUntil = Number.NEGATIVE_INFINITY;

  /**
   * @param ask gets the list of models; `undefined` when there is none now.
   * @param now milliseconds of a clock that never goes back.
   */
  constructor(ask: () => Promise<WholeAnswer | undefined>, now: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#now = now;
  }

  /** Whether what is known is what {@link find} would find. */
  get isFresh(): boolean {
    return this.#now() < this.#holdsUntil;
  }

  /** `undefined` when the upstream does not list the model. Where the list cannot be read, the last one counts. */
  async find(model: string): Promise<Listing | undefined> {
    if (!this.isFresh) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    return this.#listings.get(model);
  }

  /** What is known now. Where nothing was read yet, it begins to read. */
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
  const { contextWindow, maxOutputTokens } = model;
  return { ...pricesOf(model), ...defined({ contextWindow, maxOutputTokens }) };
}
