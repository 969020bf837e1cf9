import { memberOf, offersOf } from '../core/offers.ts';
import type { AnswerSink, Offer, Upstream, UpstreamCall, UpstreamMember, UpstreamRequest } from '../core/upstream.ts';
import { WrappedUpstream } from '../core/wrappedUpstream.ts';
import { CompactionAttempt } from './compactionAttempt.ts';
import { type Compaction, SummaryAnswer } from './summaryAnswer.ts';

/**
 * The upstream of one request that asks for a compacted conversation. Forwards the request if the upstream may support
 * compaction. Otherwise it sends the request for a summary and returns the sealed summary.
 */
export class CompactingUpstream extends WrappedUpstream {
  readonly #compaction: Compaction;

  constructor(upstream: Upstream, compaction: Compaction) {
    super(upstream);
    this.#compaction = compaction;
  }

  member(id: string): UpstreamMember {
    return memberOf(this.inner, id);
  }

  offers(model: string): readonly Offer[] {
    return offersOf(this.inner, model);
  }

  /** @param request the request for a summary. */
  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const { original, asked } = this.#compaction;
    const summarize = () => {
      const answer = new SummaryAnswer(this.#compaction, sink);
      return answer.attach(this.inner.send(request, answer));
    };
    if (this.inner.compacts?.(asked.model) === false) return summarize();
    return new CompactionAttempt(this.inner, original, sink, summarize).handle;
  }

  /** Does nothing. The inner upstream is shared and stays open. */
  override async close(): Promise<void> {
    return;
  }
}
