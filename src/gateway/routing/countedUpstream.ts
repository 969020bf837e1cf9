import { CallerRequest } from '../core/callerRequest.ts';
import type { KeyMask } from '../core/keyMask.ts';
import type { AnswerSink, Endpoint, Upstream, UpstreamCall, UpstreamRequest } from '../core/upstream.ts';
import type { TokenCounter } from '../counting/tokenCounter.ts';
import { answerCount } from './tokenCount.ts';

const COUNT: Endpoint = '/messages/count_tokens';

/** An upstream of all formats, whose tokens the gateway counts where it does not do so itself. */
export class CountedUpstream implements Upstream {
  readonly #upstream: Upstream;
  readonly #counter: TokenCounter;

  constructor(upstream: Upstream, counter: TokenCounter) {
    this.#upstream = upstream;
    this.#counter = counter;
  }

  get id(): string {
    return this.#upstream.id;
  }

  get mask(): KeyMask | undefined {
    return this.#upstream.mask;
  }

  takesBodyStream(endpoint: Endpoint): boolean {
    return endpoint !== COUNT && this.#upstream.takesBodyStream?.(endpoint) === true;
  }

  /** The specification of the service knows no compaction. */
  compacts(): boolean {
    return false;
  }

  send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    if (request.endpoint !== COUNT) return this.#upstream.send(request, sink);
    const caller = new CallerRequest(request);
    const place = { upstream: this.#upstream, canBeAsked: true, model: caller.model ?? '' };
    return answerCount(caller, place, this.#counter, sink);
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }
}
