import type { Source } from '../../rules/exchange.ts';
import type { Prices } from '../../service/modelPrices.ts';
import { clientName } from './clientName.ts';
import type { ExchangeFacts, ExchangeRecord, RecordedFacts } from './exchangeRecord.ts';

/** What a ledger entry and its row in a list have in common. */
export interface EntryFacts extends ExchangeFacts {
  readonly source: Source;
  /** The ID of the chat panel's conversation. */
  readonly conversationId?: string;
  /** The number of the request in its run of the chat panel's agent, counted from 1. The run is its turn. */
  readonly step?: number;
  /** Such as `claude-cli`. */
  readonly client?: string;
}

/** An exchange in the ledger. Contains no content and no keys. */
export interface LedgerEntry extends EntryFacts, RecordedFacts {
  /** The catalog's prices on that day. The cost is calculated from them once, so that later prices change no row. */
  readonly prices?: Prices;
  /** Billionths of a US dollar, including `attempts`. If undefined, it is calculated from usage and prices. */
  readonly cost?: number;
}

/** What the record of an exchange does not contain. */
export interface EntryDetails {
  readonly source: Source;
  readonly prices: Prices | undefined;
  readonly cost: number | undefined;
  readonly answeredModel: string | undefined;
}

/**
 * Returns the members of a record, also those that no entry declares. A row takes only its columns. This is called twice
 * for each exchange, and leaving members out would turn it into a hash table, which costs as much as the rest of the row.
 */
export function ledgerEntry(record: ExchangeRecord, details: EntryDetails): LedgerEntry {
  return { ...record, ...details, client: clientName(record.userAgent) } as LedgerEntry;
}
