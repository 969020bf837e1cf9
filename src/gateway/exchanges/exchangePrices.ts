import { defined } from '../../formats/json.ts';
import type { Usage } from '../../formats/usage.ts';
import { costInBillionths, toBillionths, toDollars } from '../../ledger/cost.ts';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import type { UpstreamAttempt } from '../../ledger/upstreamAttempt.ts';
import type { Prices } from '../../service/modelPrices.ts';
import { isReasoningOpen } from '../../tokens/price.ts';
import { type ExchangeRecord, ledgerEntry } from '../core/exchangeRecord.ts';
import { memberOf, type Offer, offersOf, type Upstream } from '../core/upstream.ts';
import { type Listing, PriceBook } from '../prices/priceBook.ts';
import type { BegunExchange, MaybePromise } from './books.ts';

/** The prices of an exchange, and the model that they belong to if it is not the requested one. */
export interface Priced {
  readonly prices?: Prices | undefined;
  readonly answeredModel?: string | undefined;
  /** True if it is not known which of several models has answered, so that the most expensive one counts. */
  readonly isUncertain?: boolean;
  /** Includes the cost of attempts that were billed. */
  readonly attempts?: readonly UpstreamAttempt[] | undefined;
}

export interface BilledUsage {
  readonly upstream: string | undefined;
  readonly usage: Usage;
  /** Billionths of a US dollar. Undefined if no price is known. */
  readonly cost?: number;
}

/** An exchange with its costs, in billionths of a US dollar. */
export interface PricedExchange {
  /** With the cost of its attempts. Its usage is marked as an estimate if its price is uncertain. */
  readonly record: ExchangeRecord;
  readonly amounts: readonly BilledUsage[];
  /** Of the answer and its attempts. Undefined if none is known. */
  readonly cost: number | undefined;
  readonly entry: LedgerEntry;
}

/** The usage of an exchange or an attempt, and the models that it may belong to. */
type Used = Pick<ExchangeRecord & UpstreamAttempt, 'usage' | 'answeredModel' | 'fallbackModels'>;

/** Calculates the cost of exchanges from the catalogs of the upstreams that they asked. */
export class ExchangePrices {
  readonly #book = new PriceBook();
  readonly #lookups = new Set<Promise<void>>();

  /**
   * Returns the listings of the model by the upstreams that may be asked, in their order. Takes at most two seconds.
   */
  listings(offers: readonly Offer[]): Promise<(Listing | undefined)[]> {
    return Promise.all(offers.map((offer) => this.#book.find(offer)));
  }

  /** Whether all of these upstreams have lists, of which none has the model. Known after {@link listings}. */
  areUnlisted(offers: readonly Offer[]): boolean {
    return offers.length > 0 && offers.every((offer) => this.#book.isUnlisted(offer));
  }

  /**
   * Calls `write` with the prices of an exchange that has ended: at once if it has no usage, otherwise within two
   * seconds.
   */
  price(record: ExchangeRecord, asked: Upstream | undefined, write: (priced?: Priced) => void): void {
    const prices = record.attempts === undefined ? this.#ofAnswer(record, asked) : this.#ofAll(record, asked);
    if (!(prices instanceof Promise)) {
      write(prices);
      return;
    }
    const lookup = prices.then((found) => {
      this.#lookups.delete(lookup);
      write(found);
    });
    this.#lookups.add(lookup);
  }

  /** Waits for the prices that are being looked up. */
  async settled(): Promise<void> {
    await Promise.all(this.#lookups);
  }

  /** Returns the entry of a running exchange, in case its process ends before the exchange does. */
  lostEntry({ soFar, upstream }: BegunExchange): LedgerEntry {
    const model = soFar.upstreamModel ?? soFar.model;
    const offer = upstream && model !== undefined ? likelyOffer(upstream, soFar.upstream, model) : undefined;
    const other =
      offer && soFar.answeredModel !== undefined
        ? this.#book.known({ ...offer, model: soFar.answeredModel })
        : undefined;
    const prices = other ?? (offer && this.#book.known(offer));
    const attempts = soFar.attempts?.map((attempt) => {
      const model = attempt.answeredModel ?? attempt.model;
      const known = upstream && this.#book.known({ member: memberOf(upstream, attempt.upstream), model });
      return priced(attempt, { prices: known, answeredModel: attempt.answeredModel });
    });
    const answeredModel = other && soFar.answeredModel;
    return pricedExchange(soFar, { prices, answeredModel, attempts }).entry;
  }

  #ofAll(record: ExchangeRecord, asked: Upstream | undefined): MaybePromise<Priced> | undefined {
    const { attempts } = record;
    const ofAnswer = this.#ofAnswer(record, asked);
    if (asked === undefined || !attempts?.some(({ usage }) => usage !== undefined)) return ofAnswer;
    const all = attempts.map(async (attempt) => priced(attempt, await this.#ofAttempt(attempt, asked)));
    return Promise.all([ofAnswer, Promise.all(all)]).then(([found, known]) => ({ ...found, attempts: known }));
  }

  #ofAnswer(record: ExchangeRecord, asked: Upstream | undefined): MaybePromise<Priced> | undefined {
    const model = record.upstreamModel ?? record.model;
    if (record.usage === undefined || asked === undefined || model === undefined) return undefined;
    const offer = { member: memberOf(asked, record.upstream), model };
    const isOpen = record.fallbackModels !== undefined && record.usage.reportedCost === undefined;
    const read = isOpen ? undefined : this.#book.fresh(offer);
    if (read === undefined) return this.#priced(offer, record);
    const { answeredModel } = record;
    const other = answeredModel === undefined ? undefined : this.#book.known({ ...offer, model: answeredModel });
    return other === undefined ? { prices: read.listing } : { prices: other, answeredModel };
  }

  async #ofAttempt(attempt: UpstreamAttempt, asked: Upstream): Promise<Priced> {
    const { upstream, model, usage } = attempt;
    return usage === undefined ? {} : this.#priced({ member: memberOf(asked, upstream), model }, attempt);
  }

  /**
   * Uses the prices of the model that answered, if it is another one and the catalog lists it. Dated names are often
   * not listed.
   */
  async #priced(offer: Offer, used: Used): Promise<Priced> {
    const { answeredModel, fallbackModels } = used;
    const prices = await this.#book.find(offer);
    const other = answeredModel === undefined ? undefined : await this.#book.find({ ...offer, model: answeredModel });
    if (other !== undefined) return { prices: other, answeredModel };
    const isCostKnown = fallbackModels === undefined || used.usage?.reportedCost !== undefined;
    return isCostKnown ? { prices } : this.#ofSeveral(offer, fallbackModels, used);
  }

  /** Uses the prices of the model whose version the answer names, or else of the most expensive one. */
  async #ofSeveral(
    { member, model }: Offer,
    fallbackModels: readonly string[],
    { usage, answeredModel = '' }: Used,
  ): Promise<Priced> {
    const names = [...new Set([model, ...fallbackModels])];
    const all = await Promise.all(
      names.map(async (name) => {
        const prices = await this.#book.find({ member, model: name });
        return { name, prices, cost: (usage && prices && costInBillionths(usage, prices)) ?? -1 };
      }),
    );
    const named = all.filter(({ name }) => isVersionOf(answeredModel, name));
    const [first] = named.toSorted((a, b) => b.name.length - a.name.length);
    const chosen = first ?? all.toSorted((a, b) => b.cost - a.cost)[0];
    return {
      prices: chosen?.prices,
      isUncertain: first === undefined,
      ...(chosen !== undefined && chosen.name !== model && { answeredModel: chosen.name }),
    };
  }
}

/** Before a router has chosen one of its upstreams, this is the first one that offers the model. */
function likelyOffer(upstream: Upstream, id: string | undefined, model: string): Offer | undefined {
  const chosen = id === undefined ? undefined : upstream.member?.(id);
  return chosen === undefined ? offersOf(upstream, model)[0] : { member: chosen, model };
}

/** Vendors append dates and other versions to the requested names. */
function isVersionOf(answered: string, asked: string): boolean {
  return answered.startsWith(asked) && /^[-@:]\d/.test(answered.slice(asked.length));
}

/** Returns an exchange with its costs, as far as prices are known. */
export function pricedExchange(record: ExchangeRecord, known: Priced = {}): PricedExchange {
  const { prices, answeredModel, attempts } = known;
  const ofAttempts = attempts === undefined ? record : { ...record, attempts };
  const entered = isUncertain(record.usage, known) ? { ...ofAttempts, usageIsEstimated: true } : ofAttempts;
  const amounts = spentAmounts(entered, record.usage && costInBillionths(record.usage, prices));
  const cost = knownCost(amounts);
  return {
    record: entered,
    amounts,
    cost,
    entry: ledgerEntry(entered, { source: 'gateway', prices, answeredModel, cost }),
  };
}

/** Whether it is not known which prices apply to all of the usage. */
function isUncertain(usage: Usage | undefined, { prices, isUncertain: isOfSeveral = false }: Priced): boolean {
  if (usage?.reportedCost !== undefined) return false;
  return isOfSeveral || isReasoningOpen(usage, prices);
}

function priced({ answeredModel: _, fallbackModels: __, ...attempt }: UpstreamAttempt, known: Priced): UpstreamAttempt {
  const { prices, answeredModel } = known;
  const cost = attempt.usage && costInBillionths(attempt.usage, prices);
  return defined({
    ...attempt,
    answeredModel,
    usageIsEstimated: isUncertain(attempt.usage, known) || attempt.usageIsEstimated,
    cost: cost === undefined ? undefined : toDollars(cost),
  });
}

/**
 * Returns all billed usage of an exchange.
 * @param cost of its answer, in billionths of a US dollar.
 */
function spentAmounts(record: ExchangeRecord, cost: number | undefined): readonly BilledUsage[] {
  const { upstream, usage, attempts } = record;
  const amounts = usage === undefined ? [] : [amountOf(upstream, usage, cost)];
  for (const attempt of attempts ?? []) {
    const ofAttempt = attempt.cost === undefined ? undefined : toBillionths(attempt.cost);
    if (attempt.usage !== undefined) amounts.push(amountOf(attempt.upstream, attempt.usage, ofAttempt));
  }
  return amounts;
}

function amountOf(upstream: string | undefined, usage: Usage, cost: number | undefined): BilledUsage {
  return cost === undefined ? { upstream, usage } : { upstream, usage, cost };
}

/** Returns the sum of the known costs, or `undefined` if none is known. */
export function knownCost(amounts: readonly { readonly cost?: number | undefined }[]): number | undefined {
  let sum: number | undefined;
  for (const { cost } of amounts) if (cost !== undefined) sum = (sum ?? 0) + cost;
  return sum;
}
