import type { FormatName } from '../../formats/conversation.ts';
import type { ExchangeFacts, LedgerEntry, RecordedFacts } from '../../ledger/ledgerEntry.ts';
import type { RequestSource } from '../../rules/exchange.ts';
import type { Prices } from '../../service/modelPrices.ts';
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

/** Longer names are truncated, because callers choose the header. */
const MAX_NAME_LENGTH = 80;

const VERSION = /\/v?\d[^/]*$/i;

/**
 * Returns the name of the program that sent a request: the first word of its User-Agent header without the version,
 * such as `claude-cli` for `claude-cli/2.1.197 (external)`. Returns `undefined` if the header is missing or empty.
 */
export function clientName(userAgent: string | undefined): string | undefined {
  const [product = ''] = (userAgent ?? '').trim().split(/\s/, 1);
  const name = product.replace(VERSION, '').slice(0, MAX_NAME_LENGTH);
  return name === '' ? undefined : name;
}

/** Whether Codex sent the request. It interprets some headers and refusals differently than other agents. */
export function isCodex(headers: Readonly<Record<string, unknown>>): boolean {
  const names = [headers['user-agent'], headers.originator];
  const isNamed = names.some((name) => typeof name === 'string' && name.toLowerCase().startsWith('codex'));
  return isNamed || 'x-codex-turn-metadata' in headers;
}
