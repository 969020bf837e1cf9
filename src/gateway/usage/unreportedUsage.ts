/** The usage of an answer that its upstream has not reported, or only in part. */
import { defined } from '../../formats/json.ts';
import { type Usage, withoutReportedCost } from '../../formats/usage.ts';
import type { CountedModel, OutputSpeeds } from '../../ledger/outputSpeeds.ts';
import type { UsageBound } from '../../rules/exchange.ts';
import type { UsageCount } from '../core/upstream.ts';
import type { UsageEstimator } from '../core/usageEstimator.ts';
import type { UsageParts, UsagePlan } from '../core/usagePlan.ts';
import { isTurnOver, nextTurn, workInTurn } from '../http/turns.ts';
import type { PassedAnswer } from './passedAnswer.ts';
import type { SentRequest } from './sentRequest.ts';
import type { ReportedCount } from './usageReader.ts';

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

/** Reading the text of a shorter answer takes no noticeable time. In bytes. */
const LONG_ANSWER = 16 * 1024;

interface UnreportedAnswer {
  readonly sent: SentRequest;
  readonly passed: PassedAnswer;
  readonly estimator: UsageEstimator;
  /** The number of web searches that the answer has shown. */
  readonly shownSearches: number;
}

type ReportedPart = Pick<ReportedCount, 'usage' | 'model'>;

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
  async estimated(reported: ReportedPart | undefined, model: CountedModel): Promise<UsageCount> {
    const output = await this.#outputTokens(model);
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
    speeds: OutputSpeeds | undefined,
    written: Omit<UnreportedOutput, 'visible'>,
    reported: ReportedPart | undefined,
  ): Promise<UsageCount> {
    const visible = await this.#outputTokens(written.model);
    const showsReasoning = REASONING.some((word) => this.#answer.passed.includes(word));
    return this.#bounded(plan, speeds, { ...written, visible, showsReasoning }, reported);
  }

  /** Counts the most that an attempt without an answer can have used. */
  boundedAttempt(
    plan: UsagePlan,
    speeds: OutputSpeeds | undefined,
    written: Pick<UnreportedOutput, 'model' | 'elapsedMs'>,
    usage: Usage | undefined,
  ): Promise<UsageCount> {
    return this.#bounded(plan, speeds, { ...written, visible: 0, hasLeft: false }, usage && { usage });
  }

  async #bounded(
    planned: UsagePlan,
    speeds: OutputSpeeds | undefined,
    written: UnreportedOutput,
    reported: ReportedPart | undefined,
  ): Promise<UsageCount> {
    const { sent, estimator } = this.#answer;
    const output = maxOutput(planned, written, speeds);
    const mayHaveSearched = output.isWhole === true || !written.hasLeft || this.#mayHaveSearched;
    const plan = mayHaveSearched || planned.textUntilSearch === undefined ? planned : unsearched(planned);
    const counted = plan.text === undefined ? 0 : await sent.tokens(estimator, written.model);
    return bounded(plan, { inputTokens: maxInput(plan, output, counted), output }, reported?.usage, reported?.model);
  }

  /**
   * Estimates the output tokens of what passed. Hundreds of clients may disconnect at once, so long answers are read in
   * several turns of the event loop.
   */
  async #outputTokens(model: CountedModel): Promise<number> {
    if (this.#answer.passed.length >= LONG_ANSWER && isTurnOver()) await nextTurn();
    return workInTurn(() => this.#readOutputTokens(model), undefined);
  }

  async #readOutputTokens(model: CountedModel): Promise<number> {
    const { passed, estimator } = this.#answer;
    if (passed.form === undefined) return 0;
    // If an answer cannot be decompressed, its number of tokens is about its number of bytes.
    if (passed.isUnreadable) return passed.length;
    const tokens = await estimator.output({ ...model, ...passed.visible });
    return Math.ceil(tokens / passed.keptPart);
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

/**
 * An upstream notices within two seconds that its client has left, and writes on until then. In milliseconds, less the
 * margin that a speed has.
 */
const NOTICE_MS = 1_700;
/** Vendors count tokens of a text differently. Counts for models without a public tokenizer are high already. */
const INPUT_MARGIN = 1.15;

/** What is known of an answer that has ended without its whole usage. */
export interface UnreportedOutput {
  readonly model: CountedModel;
  /** Tokens of the output that was received. */
  readonly visible: number;
  /** Whether the part that was received shows reasoning, which has a price of its own at some upstreams. */
  readonly showsReasoning?: boolean;
  /** From the request to the end of its connection, in milliseconds. */
  readonly elapsedMs: number;
  /** Whether the upstream was writing when its connection was closed by the gateway. */
  readonly hasLeft: boolean;
}

interface MaxOutput {
  readonly tokens: number;
  /** The part that may be reasoning. */
  readonly reasoning: number;
  readonly bound: Exclude<UsageBound, 'reported'>;
  /** Whether the input counts as reserved, too, because the operator expects the model to use all that it may. */
  readonly isWhole?: boolean;
}

/**
 * Returns the most output that the answer can have had: what it shows, and unless its model shows everything, what the
 * model can have written in the time. Never more than the request allowed. An answer that arrived faster than its model
 * writes was replayed, and has no more than it shows.
 */
export function maxOutput(plan: UsagePlan, written: UnreportedOutput, speeds: OutputSpeeds | undefined): MaxOutput {
  const { model, visible, elapsedMs, hasLeft, showsReasoning = false } = written;
  const writingMs = elapsedMs + (hasLeft ? NOTICE_MS : 0);
  const shown = hasLeft && elapsedMs > 0 ? Math.ceil((visible * writingMs) / elapsedMs) : visible;
  const fixed = plan.maxSpeeds?.get(model.upstream);
  const speed = fixed ?? speeds?.of(model) ?? Number.POSITIVE_INFINITY;
  const inTime = plan.showsAll ? 0 : Math.ceil((writingMs * speed * (plan.answers ?? 1)) / 1000);
  const tokens = Math.min(Math.max(shown, inTime), Math.max(plan.maxOutputTokens, visible));
  const reasoning = showsReasoning ? tokens : Math.max(0, tokens - visible);
  if (tokens < plan.maxOutputTokens || inTime < tokens)
    return { tokens, reasoning, bound: inTime > shown ? 'time' : 'visible' };
  return { tokens, reasoning, bound: 'reservation', isWhole: fixed !== undefined };
}

/**
 * Returns the most input that the request can have had.
 * @param counted tokens of its text.
 */
export function maxInput({ inputTokens, text }: UsagePlan, { isWhole = false }: MaxOutput, counted: number): number {
  if (text === undefined || isWhole) return inputTokens;
  return Math.min(inputTokens, Math.ceil(counted * INPUT_MARGIN) + text.addedTokens);
}

/** Returns the plan of a request with a search tool whose answer shows no search, so that its prompt has not grown. */
function unsearched({ mayGrow: _, text: __, textUntilSearch: text, parts = {}, ...plan }: UsagePlan): UsagePlan {
  const { webSearches: ___, ...others } = parts;
  return { ...plan, parts: others, ...defined({ text }) };
}

/** Returns the whole reservation, for an exchange whose process may end before anything more is known of it. */
export function reserved(plan: UsagePlan, reported: Usage | undefined): UsageCount {
  const { inputTokens, maxOutputTokens } = plan;
  const output: MaxOutput = { tokens: maxOutputTokens, reasoning: maxOutputTokens, bound: 'reservation' };
  return bounded(plan, { inputTokens, output }, reported);
}

/**
 * Returns the usage with these maximums. Reported values replace them, but the output is never less than its maximum, and
 * the input not less than the plan's if tools of the service may increase it.
 */
export function bounded(
  { parts = {}, pricedModel, mayGrow, inputTokens: planned }: UsagePlan,
  { inputTokens, output }: { readonly inputTokens: number; readonly output: MaxOutput },
  reported: Usage | undefined,
  reportedModel?: string,
): UsageCount {
  const reportedInput = reported?.inputTokens ?? 0;
  const isInputReported = reportedInput > 0 && (mayGrow !== true || reportedInput > planned);
  const outputTokens = Math.max(output.tokens, reported?.outputTokens ?? 0);
  const usage: Usage = {
    ...inputParts(parts, isInputReported ? reportedInput : inputTokens),
    inputTokens,
    ...(isInputReported && withoutReportedCost(reported)),
    ...outputParts(parts, outputTokens, output.reasoning),
    outputTokens,
  };
  const cacheIsAssumed = usage.cacheWriteTokens !== reported?.cacheWriteTokens || undefined;
  const model = reportedModel ?? pricedModel;
  return { usage, isEstimated: true, bound: output.bound, ...defined({ model, cacheIsAssumed }) };
}

/** The kinds of output, at most as many tokens of each as planned. */
function outputParts(
  { reasoningTokens, audioOutputTokens, imageOutputTokens, webSearches }: UsageParts,
  output: number,
  reasoning: number,
): UsageParts {
  return defined({
    reasoningTokens: reasoningTokens && Math.min(reasoning, output),
    audioOutputTokens: audioOutputTokens && Math.min(audioOutputTokens, output),
    imageOutputTokens: imageOutputTokens && Math.min(imageOutputTokens, output),
    webSearches,
  });
}

/** The kinds of input, at most as many tokens of each as planned. */
function inputParts(
  { reasoningTokens: _, audioOutputTokens: __, imageOutputTokens: ___, webSearches: ____, ...parts }: UsageParts,
  input: number,
): Partial<Usage> {
  return Object.fromEntries(Object.entries(parts).map(([name, count]) => [name, Math.min(count, input)]));
}
