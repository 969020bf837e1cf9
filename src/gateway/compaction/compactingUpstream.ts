import type { KeyMask } from '../core/keyMask.ts';
import { memberOf, offersOf } from '../core/offers.ts';
import type { AnswerSink, Offer, Upstream, UpstreamCall, UpstreamMember, UpstreamRequest } from '../core/upstream.ts';
import { CompactionAttempt } from './compactionAttempt.ts';
import { type Compaction, SummaryAnswer } from './summaryAnswer.ts';

/**
 * The upstream of one request that asks for a compacted conversation. Passes the request on if the upstream may compact
 * itself; if it cannot, sends the request for a summary, and gives the summary back sealed.
 */
export class CompactingUpstream implements Upstream {
  readonly #upstream: Upstream;
  readonly #compaction: Compaction;

  constructor(upstream: Upstream, compaction: Compaction) {
    this.#upstream = upstream;
    this.#compaction = compaction;
  }

  get id(): string {
    return this.#upstream.id;
  }

  get mask(): KeyMask | undefined {
    return this.#upstream.mask;
  }

  member(id: string): UpstreamMember {
    return memberOf(this.#upstream, id);
  }

  offers(model: string): readonly Offer[] {
    return offersOf(this.#upstream, model);
  }

  /** @param request the one for a summary. */
  send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const { original, asked } = this.#compaction;
    const summarize = () => {
      const answer = new SummaryAnswer(this.#compaction, sink);
      return answer.attach(this.#upstream.send(request, answer));
    };
    if (this.#upstream.compacts?.(asked.model) === false) return summarize();
    return new CompactionAttempt(this.#upstream, original, sink, summarize);
  }

  /** It is another's, which goes on. */
  async close(): Promise<void> {
    return;
  }
}
