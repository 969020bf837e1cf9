import type { FormatName } from '../../formats/conversation.ts';
import type { ExchangeFacts, LedgerEntry, RecordedFacts } from '../../ledger/ledgerEntry.ts';
import type { RequestSource } from '../../rules/exchange.ts';
import type { Prices } from '../../service/modelPrices.ts';
import { clientName } from './clientName.ts';
import type { Endpoint } from './endpoint.ts';

/** What is known about an exchange of the gateway after its end. Contains no content and no keys. */
export interface ExchangeRecord extends ExchangeFacts, RecordedFacts {
  readonly endpoint?: Endpoint;
  readonly callerFormat: FormatName;
  /** The first word of the client's User-Agent header, such as `curl/8.5.0`. */
  readonly userAgent?: string;
  /** The client's `traceparent` header, unchanged. */
  readonly traceParent?: string;
  /** The upstream's name for the model, if it differs from `model`. */
  readonly upstreamModel?: string;
  /**
   * What the upstream does not support and was not asked for, such as hosted tools by their types, and parts of its
   * answer that the caller's format cannot express.
   */
  readonly dropped?: readonly string[];
  /** How many secrets in the request were replaced, each counted once. */
  readonly sealed?: number;
  /** How many stand-ins in the answer could not be restored, because the model has changed them. */
  readonly unknownStandIns?: number;
  /** Sizes of the bodies in bytes. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Models that may have answered instead, if the answer does not confirm the requested model. */
  readonly fallbackModels?: readonly string[];
  /**
   * US dollars by the catalogs of the upstreams, including failed attempts. Undefined if no usage or no price is known,
   * or if nothing requires the cost.
   */
  readonly cost?: number;
}

/** What the record of an exchange does not contain. */
export interface EntryDetails {
  readonly source: RequestSource;
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
