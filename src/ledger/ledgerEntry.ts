import type { FormatName } from '../formats/conversation.ts';
import type { Usage } from '../formats/usage.ts';
import type { CacheMissReason } from '../rules/cacheMiss.ts';
import type { Accuracy, ExchangeEnd, RequestSource, UsageBound } from '../rules/exchange.ts';
import type { Prices } from '../service/modelPrices.ts';
import type { ChosenRoute, UpstreamAttempt } from './upstreamAttempt.ts';

/**
 * The session that a request belongs to. The IDs are hashes of what the client sent, in 16 hexadecimal digits. They
 * stay the same as long as the ledger exists, and differ for each local key.
 */
export interface SessionIds {
  /** A session of a tool or a chat, with all its subagents. */
  readonly sessionId: string;
  /** A subagent of the session. Undefined for the main agent. */
  readonly agentId?: string;
  /** A question of the user, with all requests that it caused. */
  readonly turnId?: string;
}

/** What records, ledger entries, and rows of lists have in common. */
export interface ExchangeFacts extends Partial<SessionIds> {
  /** The ID of the exchange, which is also in the answer's headers. */
  readonly id: string;
  /** When the request's headers were read, in milliseconds since the epoch. */
  readonly at: number;
  /** The ID of the local key, not its secret. Undefined if no valid key was sent. */
  readonly localKeyId?: string;
  /** The client's name for its kind of subagent, such as `Explore`. Undefined for the main agent, and if unknown. */
  readonly agentType?: string;
  /** How long the client's tools ran before the request, in milliseconds. Undefined if the client does not say. */
  readonly toolMs?: number;
  /**
   * Why the upstream's cache missed, according to the upstream itself, such as `tools_changed`. Undefined unless the
   * client has asked for a comparison.
   */
  readonly upstreamMissReason?: string;
  /** The path below the base address, such as `/messages`. Undefined if it is not an endpoint. */
  readonly endpoint?: string;
  readonly callerFormat?: FormatName;
  /** The upstream's wire format, if it was chosen or the answer showed it. */
  readonly upstreamFormat?: FormatName;
  /** Undefined if no model was found in the body. */
  readonly model?: string;
  /** The ID of the upstream. Undefined if none was asked. */
  readonly upstream?: string;
  /** The HTTP status that the caller received. Undefined if the client disconnected before an answer began. */
  readonly status?: number;
  /** Milliseconds from `at` to the request to the upstream. Undefined if none was asked. */
  readonly queueMs?: number;
  /** Milliseconds from `at` to the first byte of the answer. */
  readonly firstByteMs?: number;
  readonly durationMs: number;
  /**
   * Does not include the usage of `attempts`. Partial usage if the answer was cut off. Undefined if nothing was
   * counted.
   */
  readonly usage?: Usage;
  /** True if the upstream reported no usage or only a part of it, and `usage` is the gateway's estimate. */
  readonly usageIsEstimated?: boolean;
  /** What the usage follows from. Undefined without usage. */
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
  /** The limit of the output that the gateway has set, because a budget of the key covers no more. In tokens. */
  readonly outputLimit?: number;
  /** How many secrets in the request were replaced, each counted once. Undefined if none were. */
  readonly sealed?: number;
  readonly end: ExchangeEnd;
}

/** What an upstream's cache missed, although it could have contained it. */
export interface CacheMiss {
  readonly reason: CacheMissReason;
  /**
   * Number of tokens that an earlier request had sent, or that were sent for the first time if the reason is `cold`.
   */
  readonly missedTokens: number;
  /** The name of the tool or setting that changed. Only kept in memory. */
  readonly changed?: string;
}

/** What a row in a list does not have, or has in another form. */
export interface RecordedFacts {
  /**
   * The repository that the request was for, as `owner/name` or the name of its folder. Undefined if it is not known.
   * The names stay in the ledger of this machine: no other gateway gets them.
   */
  readonly repository?: string;
  /** The name of its branch, or a short commit. Undefined without a repository. */
  readonly branch?: string;
  /** Undefined if the upstream's cache had no significant miss, or if that is not known. */
  readonly cacheMiss?: CacheMiss;
}

/** What a ledger entry and its row in a list have in common. */
export interface EntryFacts extends ExchangeFacts {
  readonly source: RequestSource;
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
  /** Billionths of a US dollar, including `attempts`. If undefined, it is calculated from usage, prices, and attempts. */
  readonly cost?: number;
}
