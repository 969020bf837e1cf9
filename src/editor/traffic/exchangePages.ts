import type { ExchangePage, ExchangeQuestion } from '../../ledger/exchangeQuery.ts';
import type { ExchangeFilter } from '../../rules/exchangeFilter.ts';
import type { WorkerRpc } from '../worker/workerRpc.ts';

const PAGE_ROWS = 200;

export interface ListedPage extends ExchangePage {
  /** Whether there may be older exchanges. */
  readonly hasMore: boolean;
}

const NOTHING: ListedPage = { rows: [], exchanges: 0, cost: 0, sampleCost: 0, hasMore: false };

/**
 * Reads the list's pages from the ledger: the latest exchanges, older ones, and those entered since. Results and
 * failures of reads from before the list was restarted are dropped, and undefined is returned.
 */
export class ExchangePages {
  readonly #rpc: Pick<WorkerRpc, 'readLedger'>;
  readonly #ledger: string;
  /** The number of the newest entry read. */
  #newest = 0;
  /** The number of the current list. */
  #list = 0;

  /** @param ledger The path of the ledger's database file. */
  constructor(rpc: Pick<WorkerRpc, 'readLedger'>, ledger: string) {
    this.#rpc = rpc;
    this.#ledger = ledger;
  }

  /**
   * Starts a new list.
   * @param filter Undefined for a list without exchanges of the ledger.
   */
  async begin(filter: ExchangeFilter | undefined): Promise<ListedPage | undefined> {
    this.#list += 1;
    return filter === undefined ? NOTHING : this.#follow(await this.#read({ filter }));
  }

  /** Returns the page after a row. `at` is in milliseconds since the epoch. */
  older(filter: ExchangeFilter, before: NonNullable<ExchangeQuestion['before']>): Promise<ListedPage | undefined> {
    return this.#read({ filter, before });
  }

  /** Returns the exchanges entered since the newest one read. */
  async newer(filter: ExchangeFilter): Promise<ListedPage | undefined> {
    return this.#follow(await this.#read({ filter, after: this.#newest }));
  }

  /** Older pages are not counted: a long exchange is listed by its start, but entered at its end. */
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
