import { CallerRequest } from '../core/callerRequest.ts';
import { METHOD_OF_ENDPOINT } from '../core/route.ts';
import type { AnswerSink, Endpoint, Upstream, UpstreamCall, UpstreamRequest } from '../core/upstream.ts';
import { WrappedUpstream } from '../core/wrappedUpstream.ts';
import type { TokenCounter } from '../counting/tokenCounter.ts';
import { MemoryResponseStore } from '../translation/memoryResponseStore.ts';
import { DEFAULT_TRIGGER_SET, withoutChoice } from './callPlan.ts';
import { RoutedCall } from './failover/routedCall.ts';
import { Member } from './member.ts';
import { RefusedKeySink } from './refusedKey.ts';
import { answerCount } from './tokenCount.ts';

const COUNT: Endpoint = '/messages/count_tokens';
const NO_LIMITS = {};

/** A single upstream that supports all formats. The gateway counts tokens if the upstream does not. */
export class SingleUpstream extends WrappedUpstream {
  readonly #member: Member;
  readonly #counter: TokenCounter;
  /** The store stays empty, because nothing is translated. */
  readonly #services = withoutChoice(new MemoryResponseStore());

  constructor(upstream: Upstream, counter: TokenCounter) {
    super(upstream);
    this.#member = new Member({ upstream });
    this.#counter = counter;
  }

  override takesBodyStream(endpoint: Endpoint): boolean {
    return endpoint !== COUNT && super.takesBodyStream(endpoint);
  }

  /** The service's specification has no compaction. */
  compacts(): boolean {
    return false;
  }

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    if (METHOD_OF_ENDPOINT[request.endpoint] === 'GET') {
      return super.send(request, new RefusedKeySink(request, this.id, sink));
    }
    const caller = new CallerRequest(request);
    if (request.endpoint === COUNT) {
      const place = { upstream: this.inner, isAvailable: true, model: caller.model ?? '' };
      return answerCount(caller, place, this.#counter, sink);
    }
    const candidates = [{ member: this.#member, model: caller.model ?? '' }];
    const plan = { candidates, triggers: DEFAULT_TRIGGER_SET, limits: NO_LIMITS, isSingle: true };
    return new RoutedCall(caller, plan, sink, this.#services);
  }

  override close(): Promise<void> {
    return this.#member.close();
  }
}
