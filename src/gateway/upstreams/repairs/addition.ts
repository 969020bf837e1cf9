import type { AnswerSink, Endpoint, UpstreamRequest } from '../../core/upstream.ts';

/** Something that the gateway adds to requests, which the upstream may refuse. */
export interface Addition {
  readonly endpoints: readonly Endpoint[];
  /** Names by which a refusal is recognized. The first one is remembered. */
  readonly members: readonly [string, ...string[]];
  /** Whether it can be added to a body that is still arriving. */
  readonly addsToStreams: boolean;
  add(request: UpstreamRequest): UpstreamRequest | undefined;
  /** Called when the upstream has accepted it. */
  accepted?(): void;
  /** Returns the sink for the answer to a request with the addition. */
  wrap?(sink: AnswerSink, request: UpstreamRequest): AnswerSink;
}

/** A request as it is sent. */
export interface Written {
  readonly request: UpstreamRequest;
  readonly added: readonly Addition[];
  /** Names of the members that were removed or replaced, for the caller. */
  readonly lost: readonly string[];
}
