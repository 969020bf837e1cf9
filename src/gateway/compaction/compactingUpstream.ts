import { memberOf, offersOf } from '../core/offers.ts';
import type { AnswerSink, Offer, Upstream, UpstreamCall, UpstreamMember, UpstreamRequest } from '../core/upstream.ts';
import { WrappedUpstream } from '../core/wrappedUpstream.ts';
import { CompactionAttempt } from './compactionAttempt.ts';
import { type Compaction, SummaryAnswer } from './summaryAnswer.ts';

/**
 * The upstream of one request that asks for a compacted conversation. Passes the request on if the upstream may compact
 * itself; if it cannot, sends the request for a summary, and gives the summary back sealed.
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

  /** @param request the one for a summary. */
  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const { original, asked } = this.#compaction;
    const summarize = () => {
      const answer = new SummaryAnswer(this.#compaction, sink);
      return answer.attach(this.inner.send(request, answer));
    };
    if (this.inner.compacts?.(asked.model) === false) return summarize();
    return new CompactionAttempt(this.inner, original, sink, summarize).handle;
  }

  /** It belongs to another upstream, which stays open. */
  override async close(): Promise<void> {
    return;
  }
}
