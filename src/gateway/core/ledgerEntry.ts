import type { FormatName, Usage } from '../../formats/conversation.ts';
import { defined } from '../../formats/defined.ts';
import type { ExchangeEnd, Source } from '../../rules/exchange.ts';
import type { Prices } from '../../service/modelPrices.ts';
import type { CacheMiss } from './cacheMiss.ts';
import { clientName } from './clientName.ts';
import type { ExchangeRecord } from './exchangeRecord.ts';
import type { SessionIds } from './requestSession.ts';
import type { ChosenRoute, UpstreamAttempt } from './upstreamAttempt.ts';
import type { Accuracy } from './usageEstimator.ts';

/** What an entry of the ledger and its row in a list both say, in the same words. */
export interface ExchangeFacts extends Partial<SessionIds> {
  /** Of the exchange, as the answer's headers name it. */
  readonly id: string;
  /** Milliseconds since the epoch at which the exchange began. */
  readonly at: number;
  readonly source: Source;
  /** The id of the local key, not its secret. */
  readonly localKeyId?: string;
  /** The id of the chat panel's conversation. */
  readonly conversationId?: string;
  /** Such as `claude-cli`. */
  readonly client?: string;
  /** The path below the base address, such as `/messages`. */
  readonly endpoint?: string;
  readonly callerFormat?: FormatName;
  readonly upstreamFormat?: FormatName;
  readonly model?: string;
  /** The id of the upstream; absent when none was asked. */
  readonly upstream?: string;
  /** The HTTP status that the caller got. */
  readonly status?: number;
  /** Milliseconds until the upstream was asked; absent when none was. */
  readonly queueMs?: number;
  readonly firstByteMs?: number;
  readonly durationMs: number;
  /** Absent when nobody counted. */
  readonly usage?: Usage;
  /** True when the upstream reported no usage, or not all, and `usage` is the gateway's own estimate. */
  readonly usageIsEstimated?: boolean;
  /** Of an estimate by a tokenizer: how far earlier ones of the model were off. */
  readonly estimateAccuracy?: Accuracy;
  /** True if the cache writes in `usage` are the most that was possible. They say nothing about what the cache saved. */
  readonly cacheIsAssumed?: true;
  /** The model that answered and by whose prices the cost was worked out, where the service has chosen another. */
  readonly answeredModel?: string;
  /** The upstreams that were considered, in their order, where it was more than one or one was asked twice. */
  readonly attempts?: readonly UpstreamAttempt[];
  /** Absent when the request was for no route. */
  readonly route?: ChosenRoute;
  /** Kinds of secrets that the request seems to contain, such as `aws`; absent when none was found, or nobody looked. */
  readonly secrets?: readonly string[];
  readonly end: ExchangeEnd;
}

/** One exchange as the ledger keeps it. Nothing of what was said, and no key. */
export interface LedgerEntry extends ExchangeFacts {
  /** What the catalog asked for on that day; the cost is worked out from it once, so later prices change no row. */
  readonly prices?: Prices;
  /** Billionths of a US dollar, with what `attempts` cost; where absent it is worked out from usage and prices. */
  readonly cost?: number;
  /** Absent when the upstream's cache missed nothing worth telling, or nobody knows. */
  readonly cacheMiss?: CacheMiss;
}

/** What the record of an exchange does not say. */
export interface EntryDetails {
  readonly source: Source;
  readonly prices: Prices | undefined;
  readonly cost: number | undefined;
  readonly answeredModel: string | undefined;
}

/** What an entry does not have of a record, or has in another way. */
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
