import { defined } from '../../formats/defined.ts';
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

/** Members of a record that an entry does not have, or has in another form. */
const ONLY_IN_RECORD = {
  userAgent: undefined,
  upstreamModel: undefined,
  dropped: undefined,
  bytesIn: undefined,
  bytesOut: undefined,
  fallbackModels: undefined,
};

export function ledgerEntry(record: ExchangeRecord, details: EntryDetails): LedgerEntry {
  return defined({ ...record, ...ONLY_IN_RECORD, ...details, client: clientName(record.userAgent) });
}
