import type { FormatName, Usage } from '../../formats/conversation.ts';
import { defined } from '../../formats/defined.ts';
import type { Accuracy, ExchangeEnd, Source, UsageBound } from '../../rules/exchange.ts';
import type { Prices } from '../../service/modelPrices.ts';
import type { CacheMiss } from './cacheMiss.ts';
import { clientName } from './clientName.ts';
import type { ExchangeRecord } from './exchangeRecord.ts';
import type { SessionIds } from './requestSession.ts';
import type { ChosenRoute, UpstreamAttempt } from './upstreamAttempt.ts';

/** What a ledger entry and its row in a list have in common. */
export interface ExchangeFacts extends Partial<SessionIds> {
  /** The ID of the exchange, which is also in the answer's headers. */
  readonly id: string;
  /** When the exchange began, in milliseconds since the epoch. */
  readonly at: number;
  readonly source: Source;
  /** The ID of the local key, not its secret. */
  readonly localKeyId?: string;
  /** The client's name for its kind of subagent, such as `Explore`. Undefined for the main agent, and if unknown. */
  readonly agentType?: string;
  /** How long the client's tools ran before the request, in milliseconds. Undefined if the client does not say. */
  readonly toolMs?: number;
  /** Why the upstream's cache missed, according to the upstream itself. Undefined if it reports none. */
  readonly upstreamMissReason?: string;
  /** The ID of the chat panel's conversation. */
  readonly conversationId?: string;
  /** The number of the request in its run of the chat panel's agent, counted from 1. The run is its turn. */
  readonly step?: number;
  /** Such as `claude-cli`. */
  readonly client?: string;
  /** The path below the base address, such as `/messages`. */
  readonly endpoint?: string;
  readonly callerFormat?: FormatName;
  readonly upstreamFormat?: FormatName;
  readonly model?: string;
  /** The ID of the upstream. Undefined if none was asked. */
  readonly upstream?: string;
  /** The HTTP status that the caller received. */
  readonly status?: number;
  /** Milliseconds until the upstream was asked. Undefined if none was. */
  readonly queueMs?: number;
  readonly firstByteMs?: number;
  readonly durationMs: number;
  /** Undefined if nothing was counted. */
  readonly usage?: Usage;
  /** True if the upstream reported no usage or only a part of it, and `usage` is the gateway's estimate. */
  readonly usageIsEstimated?: boolean;
  /** What the usage follows from. Undefined without usage, and for rows of earlier versions. */
  readonly usageBound?: UsageBound;
  /** The deviation of earlier estimates for this model, if a tokenizer made the estimate. */
  readonly estimateAccuracy?: Accuracy;
  /** True if the cache writes in `usage` are the most that was possible. They say nothing about what the cache saved. */
  readonly cacheIsAssumed?: true;
  /** The model that answered and whose prices determine the cost, if the service has chosen another one. */
  readonly answeredModel?: string;
  /** The upstreams that were considered, in order. Undefined if there was only one and it was asked only once. */
  readonly attempts?: readonly UpstreamAttempt[];
  /** Undefined if the request did not name a route. */
  readonly route?: ChosenRoute;
  /**
   * Kinds of secrets that the request seems to contain, such as `aws`. Undefined if none were found, or if the request
   * was not searched.
   */
  readonly secrets?: readonly string[];
  readonly end: ExchangeEnd;
}

/** An exchange in the ledger. Contains no content and no keys. */
export interface LedgerEntry extends ExchangeFacts {
  /** The catalog's prices on that day. The cost is calculated from them once, so that later prices change no row. */
  readonly prices?: Prices;
  /** Billionths of a US dollar, including `attempts`. If undefined, it is calculated from usage and prices. */
  readonly cost?: number;
  /**
   * The repository that the request was for, as `owner/name` or the name of its folder. Undefined if it is not known.
   * The names stay in the ledger of this machine: no view of single requests has them, and no other gateway gets them.
   */
  readonly repository?: string;
  /** The name of its branch, or a short commit. Undefined without a repository. */
  readonly branch?: string;
  /** Undefined if the upstream's cache had no significant miss, or if that is not known. */
  readonly cacheMiss?: CacheMiss;
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
