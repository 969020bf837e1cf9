import type { Prices } from '../../service/modelPrices.ts';
import { priceOf } from '../../tokens/price.ts';
import type { ExchangeRecord } from '../exchanges/record.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { Ledger } from './ledger.ts';
import { ledgerEntry } from './ledgerEntry.ts';
import { PriceBook } from './priceBook.ts';
import { LedgerError } from './sqlite.ts';

export interface BookkeeperOptions {
  /** The path of the ledger; without one nothing is written. */
  readonly ledger?: string;
  /** Called with each record, with its cost where that is known. */
  readonly onRecord?: (record: ExchangeRecord) => void;
  /** Called with what keeps the ledger from being written, in words for a person: once until it works again. */
  readonly onProblem: (message: string) => void;
}

/** Works out what each exchange cost and enters it in the ledger, after its end and apart from all others. */
export class Bookkeeper {
  readonly #ledger: Ledger | undefined;
  readonly #prices = new PriceBook();
  readonly #onRecord: (record: ExchangeRecord) => void;
  readonly #underWay = new Set<Promise<void>>();

  /** A ledger that cannot be opened is a problem and no failure: there is none then. */
  constructor({ ledger, onRecord = () => undefined, onProblem }: BookkeeperOptions) {
    this.#ledger = ledger === undefined ? undefined : openLedger(ledger, onProblem);
    this.#onRecord = onRecord;
  }

  /** @param asked the upstream that the gateway asked; absent when it refused. */
  readonly enter = (record: ExchangeRecord, asked: Upstream | undefined): void => {
    if (record.usage === undefined || asked === undefined) {
      this.#write(record);
      return;
    }
    const entered = this.#prices.find(record, asked).then((prices) => {
      this.#underWay.delete(entered);
      this.#write(record, prices);
    });
    this.#underWay.add(entered);
  };

  /** Waits for the prices of what has ended, two seconds at most, and writes it all. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#ledger?.close();
  }

  #write(record: ExchangeRecord, prices?: Prices): void {
    const cost = record.usage && prices && priceOf(record.usage, prices);
    this.#onRecord(cost === undefined ? record : { ...record, cost });
    this.#ledger?.append(ledgerEntry(record, { source: 'gateway', ...(prices !== undefined && { prices }) }));
  }
}

function openLedger(path: string, onProblem: (message: string) => void): Ledger | undefined {
  try {
    return new Ledger({ path, onProblem: ({ message }) => onProblem(message) });
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    onProblem(error.message);
    return undefined;
  }
}
