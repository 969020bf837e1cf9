import type { FormatName, Usage } from '../../formats/conversation.ts';
import type { Accuracy, ExchangeEnd, UsageBound } from '../../rules/exchange.ts';
import type { CacheMiss } from './cacheMiss.ts';
import type { Endpoint } from './endpoint.ts';
import type { SessionIds } from './requestSession.ts';
import type { ChosenRoute, UpstreamAttempt } from './upstreamAttempt.ts';

/** What is known about an exchange after its end. Contains no content and no keys. */
export interface ExchangeRecord extends Partial<SessionIds> {
  readonly id: string;
  /** When the request's headers were read, in milliseconds since the epoch. */
  readonly at: number;
  /** Undefined if no valid key was sent. */
  readonly localKeyId?: string;
  /** The first word of the client's User-Agent header, such as `curl/8.5.0`. */
  readonly userAgent?: string;
  /** The client's `traceparent` header, unchanged. */
  readonly traceParent?: string;
  /** Undefined if the path is not an endpoint. */
  readonly endpoint?: Endpoint;
  readonly callerFormat: FormatName;
  /** Undefined if no model was found in the body. */
  readonly model?: string;
  /** The ID of the upstream. Undefined if none was asked. */
  readonly upstream?: string;
  /** The upstream's wire format, if it was chosen or the answer showed it. */
  readonly upstreamFormat?: FormatName;
  /** The upstream's name for the model, if it differs from `model`. */
  readonly upstreamModel?: string;
  /**
   * What the upstream does not support and was not asked for, such as hosted tools by their types, and parts of its
   * answer that the caller's format cannot express.
   */
  readonly dropped?: readonly string[];
  /** The upstreams that were considered, in order. Undefined if there was only one and it was asked only once. */
  readonly attempts?: readonly UpstreamAttempt[];
  /** Undefined if the request did not name a route. */
  readonly route?: ChosenRoute;
  /** Undefined if the client disconnected before an answer began. */
  readonly status?: number;
  /** Milliseconds from `at` to the request to the upstream. Undefined if none was asked. */
  readonly queueMs?: number;
  /** Milliseconds from `at` to the first byte of the answer. */
  readonly firstByteMs?: number;
  readonly durationMs: number;
  /** Sizes of the bodies in bytes. */
  readonly bytesIn: number;
  readonly bytesOut: number;
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
  /**
   * The model that the answer names, if it is neither `model` nor `upstreamModel`, because a service may choose another
   * one.
   */
  readonly answeredModel?: string;
  /** Models that may have answered instead, if the answer does not confirm the requested model. */
  readonly fallbackModels?: readonly string[];
  /** True if the cache writes in `usage` are the most that was possible. They say nothing about what the cache saved. */
  readonly cacheIsAssumed?: true;
  /**
   * US dollars by the catalogs of the upstreams, including failed attempts. Undefined if no usage or no price is known,
   * or if nothing requires the cost.
   */
  readonly cost?: number;
  /** The client's name for its kind of subagent, such as `Explore`. Undefined for the main agent, and if unknown. */
  readonly agentType?: string;
  /** How long the client's tools ran before the request, in milliseconds, if the client reports it. */
  readonly toolMs?: number;
  /** The repository that the client works in, if it is known and names are recorded. */
  readonly repository?: string;
  /** Its branch, or a short commit. */
  readonly branch?: string;
  /**
   * Why the upstream's cache missed, according to the upstream itself, such as `tools_changed`. Undefined unless the
   * client has asked for a comparison.
   */
  readonly upstreamMissReason?: string;
  /** Undefined if the upstream's cache had no significant miss, or if that is not known. */
  readonly cacheMiss?: CacheMiss;
  /**
   * Kinds of secrets that the request seems to contain, such as `aws`. Undefined if none were found, or if the request
   * was not searched.
   */
  readonly secrets?: readonly string[];
  readonly end: ExchangeEnd;
}
