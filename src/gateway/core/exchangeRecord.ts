import type { FormatName } from '../../formats/conversation.ts';
import type { Usage } from '../../formats/usage.ts';
import type { CacheMissReason } from '../../rules/cacheMiss.ts';
import type { Accuracy, ExchangeEnd, UsageBound } from '../../rules/exchange.ts';
import type { Endpoint } from './endpoint.ts';
import type { SessionIds } from './requestSession.ts';
import type { ChosenRoute, UpstreamAttempt } from './upstreamAttempt.ts';

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
