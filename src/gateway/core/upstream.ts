/** What the gateway asks of whoever answers in the end: the hosted service, the sandbox, later others. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { ApiError } from '../../formats/apiError.ts';
import type { FormatName, Usage } from '../../formats/conversation.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { Endpoint } from './endpoint.ts';
import type { KeyMask } from './keyMask.ts';
import type { RequestSession } from './requestSession.ts';
import type { BilledFailure, ChosenRoute, UpstreamAttempt } from './upstreamAttempt.ts';
import type { Accuracy } from './usageEstimator.ts';

export type { Endpoint } from './endpoint.ts';

/** A body that is still on its way, and how long it will be, in bytes. */
export interface SizedBody extends Readable {
  readonly length: number;
  /** All of it, once it has passed and as long as it may have to be sent again. */
  readonly whole?: Uint8Array | undefined;
  /** It need not be sent again. */
  release?(): void;
}

export interface UpstreamRequest {
  readonly endpoint: Endpoint;
  readonly method: 'GET' | 'POST';
  /** What followed the endpoint's path in the address: `/{id}` of a single model, else empty. */
  readonly subpath: string;
  /** With its `?`, as the client wrote it, or empty. */
  readonly query: string;
  /** The client's, without credentials, cookies and hop-by-hop headers. */
  readonly headers: IncomingHttpHeaders;
  /** Absent on GET. The bytes as they came; nobody has parsed them. */
  readonly body?: Uint8Array;
  /** Instead of `body`, toward upstreams that take it so: bytes that are still on their way. */
  readonly bodyStream?: SizedBody;
  /** True when the caller has not asked for the usage that the body asks for. */
  readonly asksUsageForGateway?: true;
  /** Whose request it is: the id of the local key that was sent. */
  readonly localKeyId: string;
  /** The format that the caller reads answers and errors in. */
  readonly callerFormat: FormatName;
  /** How long the upstream may be silent within its answer, in seconds; the upstream's own limit when absent, 0 for none. */
  readonly idleSeconds?: number;
  /** The parsed body, where somebody had to parse all of it before the request was sent. */
  readonly json?: unknown;
  /** Absent for what the gateway itself asks. */
  readonly session?: RequestSession;
  /** True when it asks for a conversation to be compacted, and whoever sends it has another way if that is not possible. */
  readonly asksCompaction?: true;
}

/**
 * Where an upstream puts its answer, piece by piece: `start`, then `data` as often as needed, then `end`; or `fail`
 * at any point, after which nothing follows. After a cancel the sink hears nothing more.
 */
export interface AnswerSink {
  /** `headers` without hop-by-hop headers. */
  start(status: number, headers: OutgoingHttpHeaders): void;
  /** @returns false when the client reads slowly; the caller then pauses the call until it may resume. */
  data(chunk: Uint8Array | string): boolean;
  end(): void;
  /** The upstream broke. Before `start` it becomes an error answer, after it an error event or a cut. */
  fail(error: ApiError): void;
  /** Told before `start` by an upstream that stands for several; again when it turns to another. */
  routed?(routing: Routing): void;
  /**
   * Told by an upstream that stands for several: one that failed, was not asked, or whose answer has ended.
   * @param billed of one that failed; absent when it cannot bill anything.
   */
  attempted?(attempt: UpstreamAttempt, billed?: BilledFailure): void;
  /**
   * Asked before another attempt, where an earlier one may be billed.
   * @returns false when the limits do not allow it. The client has been told then, and the call is canceled.
   */
  mayTryAgain?(): boolean | Promise<boolean>;
  /** Told before the end by an upstream that has read the answer, each time it knows more: the last one counts. */
  used?(count: UsageCount): void;
  /**
   * Told before the end by an upstream that has translated the answer: names of what it held and the caller's format has
   * no place for.
   */
  dropped?(names: readonly string[]): void;
  /**
   * Told by an upstream that asks another one in another format, where somebody wants to see both sides.
   * @param sink that the other one's answer is for. @returns the sink to use instead.
   */
  tap?(request: UpstreamRequest, sink: AnswerSink): AnswerSink;
}

/** What an answer used. */
export interface UsageCount {
  readonly usage: Usage;
  /** True when the upstream did not count, or not all, and the gateway has sized it up itself. */
  readonly isEstimated: boolean;
  /** True when it was told before the end of the answer, so that there may be more. */
  readonly isPartial?: boolean;
  /** Of an estimate by a tokenizer: how far earlier ones of the model were off. */
  readonly accuracy?: Accuracy;
  /** The model that the answer names, where it was read. */
  readonly model?: string;
  /** Models that the service may have asked instead, where the answer does not say that it has not. */
  readonly fallbackModels?: readonly string[];
  /** True if the cache writes are the most that was possible. They say nothing about what the cache saved. */
  readonly cacheIsAssumed?: true;
}

/** Who answers in the end, where one upstream stands for several. */
export interface Routing {
  readonly upstream: string;
  /** What the upstream is spoken to in. */
  readonly format?: FormatName;
  /** True when that is none of the formats but a form of its own, so that the answer is always translated. */
  readonly hasOwnForm?: true;
  /** What the upstream calls the model. */
  readonly model?: string;
  /** What the upstream was not asked for since it could not do it, such as the types of hosted tools. */
  readonly dropped?: readonly string[];
  /** Why it was asked, where the request was for a route. */
  readonly route?: ChosenRoute;
}

/** A request under way. */
export interface UpstreamCall {
  pause(): void;
  resume(): void;
  /** The client has gone or the gateway stops: the upstream stops working at once. */
  cancel(): void;
  /**
   * What ends the stream that the client has so far as a failure. Only calls have it whose streams are made here, since
   * their last event depends on what came before; else the format's bare error event will do.
   */
  closingEvent?(error: ApiError): string | undefined;
}

export interface Upstream {
  readonly id: string;
  /** Of its key. What it says is masked as it comes; whoever joins pieces of a text must search what comes of that. */
  readonly mask?: KeyMask | undefined;
  /** Whether it marks what its cache shall keep, for clients that mark nothing. */
  readonly marksCache?: boolean;
  /** Whether it reads such a body just once and never looks into it, so that a long one may come as a stream. */
  takesBodyStream?(endpoint: Endpoint): boolean;
  /** Never throws; whatever goes wrong reaches the sink. */
  send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall;
  /**
   * False where the model of this name cannot be asked to compact a conversation, neither at `/responses/compact` nor by an
   * item of the input. Where it is absent, the upstream may be able to.
   */
  compacts?(model: string): boolean;
  /** Where it stands for several: the one of this id. */
  member?(id: string): UpstreamMember | undefined;
  /** Where it stands for several: all that a request for this model may go to. */
  offers?(model: string): readonly Offer[];
  /** Ends idle connections. */
  close(): Promise<void>;
}

/** Somebody who may be asked for a model, and what they call it. */
export interface Offer {
  readonly member: UpstreamMember;
  readonly model: string;
}

/** One of the upstreams that another stands for. */
export interface UpstreamMember {
  readonly upstream: Upstream;
  /** The question for its list of models, in the name of this local key. */
  modelsRequest(localKeyId: string): UpstreamRequest;
}

/** How an upstream takes part in the routing. */
export interface MemberSettings {
  readonly upstream: Upstream;
  /** All when absent. */
  readonly formats?: readonly FormatName[];
  /** A form of its own, into which every request is translated, in place of `formats`. */
  readonly format?: WireFormat;
  /** Patterns; all names when absent. */
  readonly models?: readonly string[];
  /** How long to wait for it; only the first output is for whoever asks to watch. */
  readonly limits?: { readonly firstTokenSeconds?: number | undefined } | undefined;
  /** Whether it tells the balance of a key. */
  readonly hasBalance?: boolean;
  /** Whether it ends with the router; a shared one does not. */
  readonly isShared?: boolean;
}
