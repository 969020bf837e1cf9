import type { AnswerSink, UpstreamCall, UpstreamRequest } from '../core/upstream.ts';
import { WrappedUpstream } from '../core/wrappedUpstream.ts';
import { type FieldSupport, RetryingCall } from './retryingCall.ts';

/**
 * Sends requests without the limit of tool calls that the gateway has added, if the upstream refuses it. Remembers
 * that it does.
 */
export class CallLimitUpstream extends WrappedUpstream {
  #refusesIt = false;

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const { unlimitedBody, json: _, ...rest } = request;
    if (unlimitedBody === undefined || request.endpoint !== '/responses') return super.send(request, sink);
    const without = (): UpstreamRequest => ({ ...rest, body: unlimitedBody });
    if (this.#refusesIt) return super.send(without(), sink);
    const onLearned = (support: FieldSupport) => {
      this.#refusesIt = support === 'refused';
    };
    return new RetryingCall(this.inner, { request, without, names: ['max_tool_calls'], onLearned }, sink);
  }
}
