import { defined } from '../../formats/defined.ts';
import type { Prices } from '../../service/modelPrices.ts';
import { costInBillionths, toDollars } from '../core/cost.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { type LedgerEntry, ledgerEntry } from '../core/ledgerEntry.ts';
import { memberOf } from '../core/offers.ts';
import type { Offer, Upstream, UpstreamMember } from '../core/upstream.ts';
import type { UpstreamAttempt } from '../core/upstreamAttempt.ts';
import { PriceBook } from '../prices/priceBook.ts';
import type { Listing } from '../prices/priceList.ts';
import type { BegunExchange } from './books.ts';
import { knownCost, spentAmounts } from './spentAmounts.ts';

/** The prices of an exchange, and the model whose they are where that is not the one asked for. */
export interface Priced {
  readonly prices?: Prices | undefined;
  readonly answeredModel?: string | undefined;
  /** With what those have cost that were billed. */
  readonly attempts?: readonly UpstreamAttempt[] | undefined;
}

/** What exchanges cost by the catalogs of the upstreams that they asked. */
export class ExchangePrices {
  readonly #book = new PriceBook();
  readonly #lookups = new Set<Promise<void>>();

  /** What those who may be asked list for the model, in their order. Takes two seconds at most. */
  listings(offers: readonly Offer[]): Promise<(Listing | undefined)[]> {
    return Promise.all(offers.map((offer) => this.#book.find(offer)));
  }

  /** Calls `write` with the prices of an exchange that has ended: at once where it has used nothing, else within two seconds. */
  price(record: ExchangeRecord, asked: Upstream | undefined, write: (priced?: Priced) => void): void {
    const prices = this.#find(record, asked);
    if (prices === undefined) {
      write();
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

  /** Of an exchange that is still under way, for the case that nobody can say more about it later. */
  lostEntry({ soFar, upstream }: BegunExchange): LedgerEntry {
    const model = soFar.upstreamModel ?? soFar.model;
    const offer = upstream && model !== undefined ? { member: memberOf(upstream, soFar.upstream), model } : undefined;
    const prices = offer && this.#book.known(offer);
    const attempts = soFar.attempts?.map((attempt) =>
      priced(
        attempt,
        upstream && this.#book.known({ member: memberOf(upstream, attempt.upstream), model: attempt.model }),
      ),
    );
    return entryOf(soFar, { prices, attempts });
  }

  #find(record: ExchangeRecord, asked: Upstream | undefined): Promise<Priced> | undefined {
    const { attempts } = record;
    const ofAnswer = this.#ofAnswer(record, asked);
    if (asked === undefined || !attempts?.some(({ usage }) => usage !== undefined)) return ofAnswer;
    const all = attempts.map(async (attempt) => priced(attempt, await this.#ofAttempt(attempt, asked)));
    return Promise.all([ofAnswer, Promise.all(all)]).then(([found, known]) => ({ ...found, attempts: known }));
  }

  #ofAnswer(record: ExchangeRecord, asked: Upstream | undefined): Promise<Priced> | undefined {
    const model = record.upstreamModel ?? record.model;
    if (record.usage === undefined || asked === undefined || model === undefined) return undefined;
    return this.#priced(memberOf(asked, record.upstream), model, record.answeredModel);
  }

  async #ofAttempt({ upstream, model, usage }: UpstreamAttempt, asked: Upstream): Promise<Prices | undefined> {
    return usage && (await this.#book.find({ member: memberOf(asked, upstream), model }));
  }

  /** By the list of the one that answered, where it was another than was asked for and the list has it: dated names are often not in it. */
  async #priced(member: UpstreamMember, model: string, answeredModel: string | undefined): Promise<Priced> {
    const prices = await this.#book.find({ member, model });
    const other = answeredModel === undefined ? undefined : await this.#book.find({ member, model: answeredModel });
    return other === undefined ? { prices } : { prices: other, answeredModel };
  }
}

/** With its cost in billionths of a US dollar, as far as prices are known. */
function entryOf(record: ExchangeRecord, known: Priced): LedgerEntry {
  const entered = withAttempts(record, known);
  return pricedEntry(entered, known, knownCost(spentAmounts(entered, ownCost(record, known.prices))));
}

/** @param cost of the answer and its attempts, in billionths of a US dollar; undefined where none is known. */
export function pricedEntry(
  record: ExchangeRecord,
  { prices, answeredModel }: Priced,
  cost: number | undefined,
): LedgerEntry {
  return ledgerEntry(record, { source: 'gateway', ...defined({ prices, answeredModel, cost }) });
}

/** The record with what its attempts have cost. */
export function withAttempts(record: ExchangeRecord, { attempts }: Priced): ExchangeRecord {
  return attempts === undefined ? record : { ...record, attempts };
}

/** Of the answer alone, in billionths of a US dollar. */
export function ownCost({ usage }: ExchangeRecord, prices: Prices | undefined): number | undefined {
  return usage && prices && costInBillionths(usage, prices);
}

function priced(attempt: UpstreamAttempt, prices: Prices | undefined): UpstreamAttempt {
  const cost = attempt.usage && prices && costInBillionths(attempt.usage, prices);
  return cost === undefined ? attempt : { ...attempt, cost: toDollars(cost) };
}
