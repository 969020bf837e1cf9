import type { FormatName, Usage } from '../../formats/conversation.ts';
import type { ExchangeEnd } from '../../rules/exchange.ts';
import type { CacheMiss } from './cacheMiss.ts';
import type { Endpoint } from './endpoint.ts';
import type { SessionIds } from './requestSession.ts';
import type { ChosenRoute, UpstreamAttempt } from './upstreamAttempt.ts';
import type { Accuracy } from './usageEstimator.ts';

/** What is known of an exchange after its end. Nothing of what was said, and no key. */
export interface ExchangeRecord extends Partial<SessionIds> {
  readonly id: string;
  /** Milliseconds since the epoch at which the request's headers were read. */
  readonly at: number;
  /** Absent when no valid key was sent. */
  readonly localKeyId?: string;
  /** The first word of the client's User-Agent header, such as `curl/8.5.0`. */
  readonly userAgent?: string;
  /** The client's `traceparent` header, as it came. */
  readonly traceParent?: string;
  /** Absent when the address led nowhere. */
  readonly endpoint?: Endpoint;
  /** The caller's. */
  readonly callerFormat: FormatName;
  /** Absent when the body does not begin with it. */
  readonly model?: string;
  /** The id of the upstream; absent when none was asked. */
  readonly upstream?: string;
  /** The format that the upstream was asked in, where it was chosen or the answer showed it. */
  readonly upstreamFormat?: FormatName;
  /** What the upstream calls the model, where that is another name than `model`. */
  readonly upstreamModel?: string;
  /**
   * What the upstream could not do and was not asked for, such as hosted tools by their types, and what its answer held
   * that the caller's format has no place for.
   */
  readonly dropped?: readonly string[];
  /** The upstreams that were considered, in their order, where it was more than one or one was asked twice. */
  readonly attempts?: readonly UpstreamAttempt[];
  /** Absent when the request was for no route. */
  readonly route?: ChosenRoute;
  /** Absent when the client left before there was one. */
  readonly status?: number;
  /** Milliseconds from `at` to the question to the upstream; absent when none was asked. */
  readonly queueMs?: number;
  /** Milliseconds from `at` to the answer's first byte. */
  readonly firstByteMs?: number;
  readonly durationMs: number;
  /** Bytes of the bodies. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Without that of `attempts`. Of an answer that was cut, what was counted until then. Absent when nobody counted. */
  readonly usage?: Usage;
  /** True when the upstream did not count, or not all, and `usage` is the gateway's own estimate. */
  readonly usageIsEstimated?: boolean;
  /** Of an estimate by a tokenizer: how far earlier ones of the model were off. */
  readonly estimateAccuracy?: Accuracy;
  /** The model that the answer names, where that is neither `model` nor `upstreamModel`: a service may choose another. */
  readonly answeredModel?: string;
  /** Models that may have answered instead, where the answer does not say that the requested one has. */
  readonly fallbackModels?: readonly string[];
  /** True if the cache writes in `usage` are the most that was possible. They say nothing about what the cache saved. */
  readonly cacheIsAssumed?: true;
  /**
   * US dollars by the catalogs of the upstreams, with what failed attempts cost. Absent when no usage or no price is known,
   * or nobody has asked for it.
   */
  readonly cost?: number;
  /** Absent when the upstream's cache missed nothing worth telling, or nobody knows. */
  readonly cacheMiss?: CacheMiss;
  /** Kinds of secrets that the request seems to contain, such as `aws`; absent when none was found, or nobody looked. */
  readonly secrets?: readonly string[];
  readonly end: ExchangeEnd;
}
