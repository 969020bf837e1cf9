/**
 * The interface of everything that answers requests: the hosted service, compatible servers, other extensions, the
 * sandbox.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { ApiError } from '../../formats/apiError.ts';
import type { FormatName } from '../../formats/conversation.ts';
import type { Usage } from '../../formats/usage.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { BilledFailure, ChosenRoute, UpstreamAttempt } from '../../ledger/upstreamAttempt.ts';
import type { Accuracy, UsageBound } from '../../rules/exchange.ts';
import type { SecretPolicy } from '../../rules/secretPolicy.ts';
import type { Prices } from '../../service/modelPrices.ts';
import type { ByteSink } from '../http/byteSink.ts';
import type { Endpoint } from './endpoint.ts';
import type { HealthProblem } from './healthProblem.ts';
import type { RequestMemory } from './heldMemory.ts';
import type { KeyMask } from './keyMask.ts';
import type { RequestSession } from './requestSession.ts';
import type { RequestStandIns } from './standIns.ts';

export type { Endpoint } from './endpoint.ts';

/** A body that is still arriving, with its length in bytes. */
export interface SizedBody extends Readable {
  readonly length: number;
  /** The whole body, from when it has passed until it is released. Needed if the request is sent again. */
  readonly whole?: Buffer | undefined;
  /** Frees the body, because it does not have to be sent again. */
  release?(): void;
}

export interface UpstreamRequest {
  readonly endpoint: Endpoint;
  readonly method: 'GET' | 'POST';
  /** The part of the path after the endpoint: `/{id}` of a single model, otherwise empty. */
  readonly subpath: string;
  /** Includes the `?`, as the client wrote it. May be empty. */
  readonly query: string;
  /** The client's headers without credentials, cookies, and hop-by-hop headers. */
  readonly headers: IncomingHttpHeaders;
  /** The original bytes, not parsed. Undefined for GET. */
  readonly body?: Buffer;
  /** Replaces `body` for upstreams that accept a stream: bytes that are still arriving. */
  readonly bodyStream?: SizedBody;
  /** The model that the beginning of `bodyStream` names. */
  readonly streamedModel?: string;
  /**
   * True if the gateway has written the whole body, so that members may be replaced or removed if the upstream refuses
   * them. What a caller has written in the upstream's format passes unchanged.
   */
  readonly isTranslated?: true;
  /** A limit that the gateway has added to the body. Undefined if the request must not be sent in another form. */
  readonly addedLimit?: AddedLimit;
  readonly localKeyId: string;
  /** The format in which the caller reads answers and errors. */
  readonly callerFormat: FormatName;
  /**
   * How long the upstream may be silent within its answer, in seconds. 0 for no limit; undefined for the upstream's own
   * limit.
   */
  readonly idleSeconds?: number;
  /** The parsed body, if all of it had to be parsed before the request is sent. */
  readonly json?: unknown;
  /** Counts what is held of the body and the answer. Undefined for the gateway's own requests. */
  readonly memory?: RequestMemory;
  /** Undefined for the gateway's own requests. */
  readonly session?: RequestSession;
  /** The mark of the window in whose terminal the client runs. It is not sent to the upstream. */
  readonly window?: IncomingHttpHeaders[string];
  /** Called immediately before the request is sent, by each upstream that is asked. */
  readonly onSending?: () => void;
  /**
   * True if the request asks for compaction, and its sender has an alternative if the upstream does not support that.
   */
  readonly asksCompaction?: true;
  /** Undefined unless secrets in the body were replaced. */
  readonly standIns?: RequestStandIns;
}

/** A limit in a body, which the upstream may refuse. */
export interface AddedLimit {
  /** The name of its member. */
  readonly member: string;
  /** The body for upstreams that refuse the member. */
  readonly otherwise: Buffer;
}

/**
 * Receives an upstream's answer in pieces: `start`, then any number of `data`, then `end`. `fail` can come at any point
 * and is always the last call. After a cancel, there are no further calls.
 */
export interface AnswerSink extends ByteSink {
  /** @param headers without hop-by-hop headers. */
  start(status: number, headers: OutgoingHttpHeaders): void;
  end(): void;
  /**
   * Called if the upstream has failed. Before `start`, the client receives an error answer; afterwards, an error event
   * or a closed connection.
   */
  fail(error: ApiError): void;
  /** Called by a router before `start`, and again if it turns to another upstream. */
  routed?(routing: Routing): void;
  /**
   * Called by a router for each upstream that failed, was skipped, or whose answer has ended. A single one that
   * answers at once is not reported.
   * @param billed of an upstream that failed. Undefined if it cannot bill anything.
   */
  attempted?(attempt: UpstreamAttempt, billed?: BilledFailure): void;
  /**
   * Called before another attempt if an earlier one may be billed.
   * @returns false if the limits do not allow it. By then, the client has been answered and the call is canceled.
   */
  mayTryAgain?(): boolean | Promise<boolean>;
  /** Called before the end by an upstream that has read the answer, whenever it knows more. The last call counts. */
  used?(count: UsageCount): void;
  /**
   * Called before the end with the names of parts that the caller's format cannot express, and before the start with the
   * names of members that the upstream has refused, so that the request was sent without them.
   */
  dropped?(names: readonly string[]): void;
  /**
   * Called by an upstream that asks another one in another format, so that both sides can be captured.
   * @param sink receives the other upstream's answer.
   * @returns the sink to use instead.
   */
  tap?(request: UpstreamRequest, sink: AnswerSink): AnswerSink;
}

export interface UsageCount {
  readonly usage: Usage;
  /** True if the upstream reported no usage or only a part of it, and the gateway has estimated it. */
  readonly isEstimated: boolean;
  /** What it follows from. Undefined while the answer is running, and for what the upstream reported. */
  readonly bound?: Exclude<UsageBound, 'reported'>;
  /** True if it was reported before the end of the answer, so that it may be incomplete. */
  readonly isPartial?: boolean;
  /** The deviation of earlier estimates for this model, if a tokenizer made the estimate. */
  readonly accuracy?: Accuracy;
  /** The model that the answer names, if the answer was read. */
  readonly model?: string;
  /** Models that the service may have used instead, if the answer does not exclude it. */
  readonly fallbackModels?: readonly string[];
  /** True if the answer names a tier, speed, or region whose prices are not the catalog's. */
  readonly hasUnlistedPrice?: true;
  /** True if the cache writes are the most that was possible. They say nothing about what the cache saved. */
  readonly cacheIsAssumed?: true;
}

/** The upstream that a router has selected. */
export interface Routing {
  readonly upstream: string;
  readonly format?: FormatName;
  /**
   * True if the upstream uses a form of its own instead of one of the formats, so that answers are always translated.
   */
  readonly hasOwnForm?: true;
  /** The upstream's name for the model. */
  readonly model?: string;
  /** What the upstream does not support and was not asked for, such as the types of hosted tools. */
  readonly dropped?: readonly string[];
  /** Why this upstream was asked, if the request named a route. */
  readonly route?: ChosenRoute;
}

export interface UpstreamCall {
  pause(): void;
  resume(): void;
  /** Stops the upstream's work immediately, because the client has disconnected or the gateway stops. */
  cancel(): void;
  /**
   * Returns the events that end the client's stream as a failure. Only calls that generate their stream have this
   * method, because their last event depends on the earlier ones. For others, the format's error event is sufficient.
   */
  closingEvent?(error: ApiError): string | undefined;
}

export interface Upstream {
  readonly id: string;
  /**
   * Masks the upstream's key. Answers are masked as they arrive; code that joins parts of a text must mask the result
   * again.
   */
  readonly mask?: KeyMask | undefined;
  /**
   * When it reports the usage of a chat-completions stream: with each answer, if the request asks for it, or never.
   * Undefined for an upstream that consists of others.
   */
  readonly reportsUsage?: 'always' | 'onRequest' | 'never' | undefined;
  /** How fast its models write at most, in tokens per second, according to its operator. */
  readonly maxTokensPerSecond?: number | undefined;
  /** Whether it marks what its cache is to keep, for clients that mark nothing. */
  readonly marksCache?: boolean;
  /**
   * What its settings say about secrets in requests. For an upstream that consists of others, the strictest of them.
   * Undefined if they say nothing.
   */
  readonly secretPolicy?: SecretPolicy | undefined;
  /** Whether it runs on this machine, so that secrets may be sent to it. */
  readonly isOnThisMachine?: boolean;
  /**
   * Whether it reads the body of this endpoint only once and never inspects it, so that a long body can be streamed.
   */
  takesBodyStream?(endpoint: Endpoint): boolean;
  /** Never throws. All errors are reported to the sink. */
  send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall;
  /**
   * False if this model does not support compaction, neither at `/responses/compact` nor by an input item. If the
   * method is undefined, the upstream may support it.
   */
  compacts?(model: string): boolean;
  /** Only for routers: returns the member with this ID. */
  member?(id: string): UpstreamMember | undefined;
  /** Only for routers: returns all upstreams that a request for this model can be sent to. */
  offers?(model: string): readonly Offer[];
  /** Only for routers: returns why requests currently avoid some upstreams. */
  problems?(): readonly HealthProblem[];
  /** Closes idle connections. */
  close(): Promise<void>;
}

/** An upstream that offers a model, and its name for the model. */
export interface Offer {
  readonly member: UpstreamMember;
  readonly model: string;
}

/** One of a router's upstreams. */
export interface UpstreamMember {
  readonly upstream: Upstream;
  /** Returns the request for its list of models, on behalf of this local key. */
  modelsRequest(localKeyId: string): UpstreamRequest;
  /** Returns the prices that the operator has set for a model, in US dollars per 1M tokens. */
  readonly priceOf?: (model: string) => Prices | undefined;
}

/** How an upstream takes part in the routing. */
export interface MemberSettings {
  readonly upstream: Upstream;
  /** All formats if undefined. */
  readonly formats?: readonly FormatName[];
  /** A form of its own, used instead of `formats`. Every request is translated to it. */
  readonly format?: WireFormat;
  /** Patterns of model names. All names if undefined. */
  readonly models?: readonly string[];
  /** Timeouts. Only the one for the first output is enforced by the router. */
  readonly limits?: { readonly firstTokenSeconds?: number | undefined } | undefined;
  /** By patterns of model names, in US dollars per 1M tokens. */
  readonly prices?: Readonly<Record<string, Prices>> | undefined;
  readonly hasBalance?: boolean;
  /** Whether it stays open when the router closes, because it is shared. */
  readonly isShared?: boolean;
}

/**
 * The upstreams that the service key pays for. The sandbox simulates the service. Their bill follows from their list of
 * prices.
 */
export const PAID_UPSTREAMS: ReadonlySet<string> = new Set(['hosted', 'sandbox']);

/** Returns the request as it can be sent again. Undefined while a body that is streamed through is not complete. */
export function repeatable({ bodyStream, ...request }: UpstreamRequest): UpstreamRequest | undefined {
  if (bodyStream === undefined) return request;
  return bodyStream.whole && { ...request, body: bodyStream.whole };
}

/** Returns all upstreams that may be asked for this model. Empty if none of a router's upstreams offers it. */
export function offersOf(upstream: Upstream, model: string): readonly Offer[] {
  return upstream.offers?.(model) ?? [{ member: alone(upstream), model }];
}

/** Returns the member with this ID if the upstream is a router. Otherwise returns the upstream itself. */
export function memberOf(upstream: Upstream, id: string | undefined): UpstreamMember {
  return (id === undefined ? undefined : upstream.member?.(id)) ?? alone(upstream);
}

function alone(upstream: Upstream): UpstreamMember {
  return {
    upstream,
    modelsRequest: (localKeyId) => ({
      endpoint: '/models',
      method: 'GET',
      subpath: '',
      query: '',
      headers: { accept: 'application/json' },
      localKeyId,
      callerFormat: 'chat-completions',
    }),
  };
}
