import { type Usage, withoutReportedCost } from '../../formats/usage.ts';
import type { CountedModel } from '../../ledger/outputSpeeds.ts';
import type { UsageCount } from '../core/upstream.ts';
import type { UsageEstimator } from '../core/usageEstimator.ts';
import type { UsagePlan } from '../core/usagePlan.ts';
import { bounded, maxInput, maxOutput, unsearched, type Written } from './boundedUsage.ts';
import type { PassedAnswer } from './passedAnswer.ts';
import type { PlannedUsage } from './plannedUsage.ts';
import type { ReportedCount } from './reportedCount.ts';
import type { SentRequest } from './sentRequest.ts';

/** Contained in answers that show reasoning, in each format. */
const REASONING = [
  '"reasoning_content"',
  '"reasoning_details"',
  '"reasoning":"',
  '"thinking":"',
  '"type":"reasoning"',
  'response.reasoning',
];
export const TOOL_OF_SERVICE = '"server_tool_use"';
/** Contained in streams in which the service has searched. */
const SEARCHED = [TOOL_OF_SERVICE, '"web_search_call"'];

interface UnreportedAnswer {
  readonly sent: SentRequest;
  readonly passed: PassedAnswer;
  readonly estimator: UsageEstimator;
  /** The number of web searches that the answer has shown. */
  readonly shownSearches: number;
}

type KnownPart = Pick<ReportedCount, 'usage' | 'model'>;

/**
 * The usage of an answer that its upstream has not reported, or only in part: an estimate from what passed, or the most
 * that it can have been if a limit depends on it.
 */
export class UnreportedUsage {
  readonly #answer: UnreportedAnswer;

  constructor(answer: UnreportedAnswer) {
    this.#answer = answer;
  }

  /** Estimates what was not reported of an answer. */
  async estimated(reported: KnownPart | undefined, model: CountedModel): Promise<UsageCount> {
    const output = await this.#answer.passed.tokens(this.#answer.estimator, model);
    const count = await this.#estimated(reported?.usage, model, output);
    return reported?.model === undefined ? count : { ...count, model: reported.model };
  }

  /** Estimates what was not reported of an attempt without an answer. */
  estimatedAttempt(reported: Usage | undefined, model: CountedModel): Promise<UsageCount> {
    return this.#estimated(reported, model, 0);
  }

  /** Counts the most that an answer can have used. */
  async bounded(
    plan: UsagePlan,
    speeds: PlannedUsage['speeds'],
    written: Omit<Written, 'visible'>,
    reported: KnownPart | undefined,
  ): Promise<UsageCount> {
    const { passed, estimator } = this.#answer;
    const visible = await passed.tokens(estimator, written.model);
    const showsReasoning = REASONING.some((word) => passed.includes(word));
    return this.#bounded(plan, speeds, { ...written, visible, showsReasoning }, reported);
  }

  /** Counts the most that an attempt without an answer can have used. */
  boundedAttempt(
    plan: UsagePlan,
    speeds: PlannedUsage['speeds'],
    written: Pick<Written, 'model' | 'elapsedMs'>,
    usage: Usage | undefined,
  ): Promise<UsageCount> {
    return this.#bounded(plan, speeds, { ...written, visible: 0, hasLeft: false }, usage && { usage });
  }

  async #bounded(
    planned: UsagePlan,
    speeds: PlannedUsage['speeds'],
    written: Written,
    reported: KnownPart | undefined,
  ): Promise<UsageCount> {
    const { sent, estimator } = this.#answer;
    const output = maxOutput(planned, written, speeds);
    const mayHaveSearched = output.isWhole === true || !written.hasLeft || this.#mayHaveSearched;
    const plan = mayHaveSearched || planned.textUntilSearch === undefined ? planned : unsearched(planned);
    const counted = plan.text === undefined ? 0 : await sent.tokens(estimator, written.model);
    return bounded(plan, { inputTokens: maxInput(plan, output, counted), output }, reported?.usage, reported?.model);
  }

  /** Whether the answer shows a search, or may in a part that was not kept. */
  get #mayHaveSearched(): boolean {
    const { passed } = this.#answer;
    return !passed.isEventStream || passed.keptPart < 1 || SEARCHED.some((word) => passed.includes(word));
  }

  async #estimated(reported: Usage | undefined, model: CountedModel, outputTokens: number): Promise<UsageCount> {
    const { sent, estimator, shownSearches } = this.#answer;
    const inputTokens = reported?.inputTokens || (await sent.tokens(estimator, model));
    const usage = {
      ...withoutReportedCost(reported),
      inputTokens,
      outputTokens: Math.max(reported?.outputTokens ?? 0, outputTokens),
      ...(shownSearches > 0 && { webSearches: Math.max(reported?.webSearches ?? 0, shownSearches) }),
    };
    const accuracy = estimator.accuracy?.(model);
    return { usage, isEstimated: true, bound: 'visible', ...(accuracy !== undefined && { accuracy }) };
  }
}
