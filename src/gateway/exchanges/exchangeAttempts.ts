import { defined } from '../../formats/json.ts';
import type { BilledFailure, UpstreamAttempt } from '../../ledger/upstreamAttempt.ts';
import type { Routing, UsageCount } from '../core/upstream.ts';
import type { AnswerUsage } from '../usage/answerUsage.ts';
import { answeredBy } from './exchangeSummary.ts';

interface Reported {
  readonly attempt: UpstreamAttempt;
  readonly billed: BilledFailure | undefined;
}

type Counted = UsageCount | undefined;

export interface CountedAttempts {
  /** Undefined if there was only one. */
  readonly attempts: readonly UpstreamAttempt[] | undefined;
  /** The usage of the exchange itself. */
  readonly count: UsageCount | undefined;
}

/** The upstreams that were considered for one exchange, and the usage of those that gave no answer. */
export class ExchangeAttempts {
  readonly #reported: Reported[] = [];
  /** Whether an upstream is being asked, so that it may have usage that is not reported yet. Read only. */
  isUnderWay = true;

  begin(): void {
    this.isUnderWay = true;
  }

  add(attempt: UpstreamAttempt, billed: BilledFailure | undefined): void {
    this.#reported.push({ attempt, billed });
    if (attempt.failure !== undefined) this.isUnderWay = false;
  }

  /**
   * Joins the attempts with their usage. If no upstream gave an answer, the usage of the attempt whose failure was
   * reported to the client counts as the exchange's own.
   * @param count of the answer.
   */
  close(
    usage: AnswerUsage,
    routing: Routing | undefined,
    count: Counted | Promise<Counted>,
  ): CountedAttempts | Promise<CountedAttempts> {
    if (this.#isPlain && !(count instanceof Promise)) return { attempts: undefined, count };
    const counts = this.#reported.map(({ attempt, billed }) => billed && usage.ofAttempt(billed, attempt));
    if (count instanceof Promise || counts.some((each) => each instanceof Promise)) {
      return Promise.all([count, Promise.all(counts)]).then(([own, known]) => this.#join(own, known, routing));
    }
    return this.#join(count, counts as readonly Counted[], routing);
  }

  /** Whether the first upstream that was considered gave the answer. */
  get #isPlain(): boolean {
    const [first] = this.#reported;
    return this.#reported.length < 2 && (first === undefined || (isAnswer(first.attempt) && !first.billed));
  }

  /** Does the same for an exchange that is still running. */
  soFar(usage: AnswerUsage, routing: Routing | undefined): CountedAttempts {
    const own = this.isUnderWay ? usage.soFar : undefined;
    if (this.#isPlain) return { attempts: undefined, count: own };
    const counts = this.#reported.map(({ billed }) => billed && usage.ofAttemptSoFar(billed));
    return this.#join(own, counts, routing);
  }

  /** The attempts that have ended, without their usage. */
  get over(): readonly UpstreamAttempt[] | undefined {
    return this.#reported.length > 0 ? this.#reported.map(({ attempt }) => attempt) : undefined;
  }

  #join(own: Counted, counts: readonly Counted[], routing: Routing | undefined): CountedAttempts {
    const answering = this.#reported.findIndex(({ attempt }, at) =>
      own === undefined ? counts[at] !== undefined && isOf(attempt, routing) : isAnswer(attempt),
    );
    const count = own ?? counts[answering];
    const attempts = this.#reported.map(({ attempt }, at) => {
      if (at === answering) return count?.isEstimated ? { ...attempt, ...estimated(count) } : attempt;
      return withUsage(attempt, counts[at]);
    });
    // While another upstream is being asked, a single finished attempt is not the one of the answer, so it is listed.
    const areSeveral = attempts.length > 1 || (own !== undefined && answering === -1 && attempts.length === 1);
    return { attempts: areSeveral ? attempts : undefined, count };
  }
}

function withUsage(attempt: UpstreamAttempt, count: Counted): UpstreamAttempt {
  if (count === undefined) return attempt;
  const answered = defined(answeredBy(count, [attempt.model]));
  return { ...attempt, usage: count.usage, ...(count.isEstimated && estimated(count)), ...answered };
}

function estimated({ bound }: UsageCount): Pick<UpstreamAttempt, 'usageIsEstimated' | 'usageBound'> {
  return { usageIsEstimated: true, ...(bound !== undefined && { usageBound: bound }) };
}

function isAnswer({ failure, skipped }: UpstreamAttempt): boolean {
  return failure === undefined && skipped === undefined;
}

function isOf(attempt: UpstreamAttempt, routing: Routing | undefined): boolean {
  return attempt.upstream === routing?.upstream && attempt.model === routing.model;
}
