import { CallerRequest } from '../core/callerRequest.ts';
import type { AnswerSink, Endpoint, Upstream, UpstreamCall, UpstreamRequest } from '../core/upstream.ts';
import { WrappedUpstream } from '../core/wrappedUpstream.ts';
import type { TokenCounter } from '../counting/tokenCounter.ts';
import { answerCount } from './tokenCount.ts';

const COUNT: Endpoint = '/messages/count_tokens';

/** An upstream of all formats, whose tokens the gateway counts where it does not do so itself. */
export class CountedUpstream extends WrappedUpstream {
  readonly #counter: TokenCounter;

  constructor(upstream: Upstream, counter: TokenCounter) {
    super(upstream);
    this.#counter = counter;
  }

  override takesBodyStream(endpoint: Endpoint): boolean {
    return endpoint !== COUNT && super.takesBodyStream(endpoint);
  }

  /** The specification of the service knows no compaction. */
  compacts(): boolean {
    return false;
  }

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    if (request.endpoint !== COUNT) return super.send(request, sink);
    const caller = new CallerRequest(request);
    const place = { upstream: this.inner, canBeAsked: true, model: caller.model ?? '' };
    return answerCount(caller, place, this.#counter, sink);
  }
}
