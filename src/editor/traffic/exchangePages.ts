import type { ExchangePage, ExchangeQuestion } from '../../gateway/ledger/exchangeQuery.ts';
import type { ExchangeFilter } from '../../rules/exchangeFilter.ts';
import type { WorkerRpc } from '../gateway/workerRpc.ts';

const PAGE_ROWS = 200;

export interface ListedPage extends ExchangePage {
  /** Whether there may be older ones. */
  readonly hasMore: boolean;
}

const NOTHING: ListedPage = { rows: [], exchanges: 0, cost: 0, sampleCost: 0, hasMore: false };

/**
 * The list's pages of the ledger: its latest exchanges, older ones, and those that were entered since. What was asked
 * before the list began anew comes too late, and so does its failure: both are undefined then.
 */
export class ExchangePages {
  readonly #rpc: Pick<WorkerRpc, 'readLedger'>;
  readonly #ledger: string;
  /** The number of the newest entry that was read. */
  #newest = 0;
  /** Counts the lists. */
  #list = 0;

  /** @param ledger its path. */
  constructor(rpc: Pick<WorkerRpc, 'readLedger'>, ledger: string) {
    this.#rpc = rpc;
    this.#ledger = ledger;
  }

  /** The list begins anew. @param filter undefined for a list that has nothing of the ledger. */
  async begin(filter: ExchangeFilter | undefined): Promise<ListedPage | undefined> {
    this.#list += 1;
    return filter === undefined ? NOTHING : this.#follow(await this.#read({ filter }));
  }

  /** The page that follows a row. `at` is in milliseconds since the epoch. */
  older(filter: ExchangeFilter, before: NonNullable<ExchangeQuestion['before']>): Promise<ListedPage | undefined> {
    return this.#read({ filter, before });
  }

  /** What was entered since the newest that was read. */
  async newer(filter: ExchangeFilter): Promise<ListedPage | undefined> {
    return this.#follow(await this.#read({ filter, after: this.#newest }));
  }

  /** Older pages do not count: a long exchange stands among them by its beginning, but is entered at its end. */
  #follow(page: ListedPage | undefined): ListedPage | undefined {
    this.#newest = Math.max(this.#newest, ...(page?.rows ?? []).map(({ number }) => number));
    return page;
  }

  async #read(question: Pick<ExchangeQuestion, 'filter' | 'before' | 'after'>): Promise<ListedPage | undefined> {
    const list = this.#list;
    try {
      const page = await this.#rpc.readLedger('exchanges', { ledger: this.#ledger, ...question, limit: PAGE_ROWS });
      return list === this.#list ? { ...page, hasMore: page.rows.length === PAGE_ROWS } : undefined;
    } catch (error) {
      if (list !== this.#list) return undefined;
      throw error;
    }
  }
}
