import type { FormatName } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import { type Usage, validUsage, withoutReportedCost } from '../../formats/usage.ts';
import type { CountedModel } from '../../ledger/outputSpeeds.ts';
import type { BilledFailure } from '../../ledger/upstreamAttempt.ts';
import { isFree, isPassed, isPricedByToken } from '../core/passedEndpoint.ts';
import { PAID_UPSTREAMS, type UsageCount } from '../core/upstream.ts';
import type { UsageEstimator } from '../core/usageEstimator.ts';
import { decompress } from '../http/contentEncoding.ts';
import { LOCAL_ESTIMATOR } from './localEstimator.ts';
import { type AnswerForm, type KeptOfAll, PassedAnswer } from './passedAnswer.ts';
import { PlannedUsage } from './plannedUsage.ts';
import { type SentBody, SentRequest } from './sentRequest.ts';
import { reserved, TOOL_OF_SERVICE, UnreportedUsage } from './unreportedUsage.ts';
import { type ReportedCount, UsageReader } from './usageReader.ts';

const RUNNING: ReadonlySet<unknown> = new Set(['queued', 'in_progress']);
const MAX_COUNTED = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;

export interface AnswerEnding {
  /** Whether an upstream may have processed the request although no answer started. */
  readonly mayBeBilled: boolean;
  /** Whether the gateway has closed the connection to an upstream that was still writing. */
  readonly hasLeft?: boolean;
  readonly model: CountedModel;
}

/** An attempt that has failed after it was asked. */
type AskedAttempt = CountedModel & { readonly durationMs: number };

/**
 * Determines the usage of one answer, from the bytes that pass or from the translation. If the usage is not reported
 * completely, it is estimated from what passed, after the end. With a plan, the most that it can have been counts
 * instead, because models can do more than they show.
 */
export class AnswerUsage {
  readonly #format: FormatName;
  readonly #estimator: UsageEstimator;
  readonly answer: PassedAnswer;
  /** Set by {@link report} only. */
  reported: UsageCount | undefined;
  /** Undefined if no limit depends on the usage. */
  #planned: PlannedUsage | undefined;
  #sent: SentRequest | undefined;
  #counted: Set<string> | undefined;
  /** When the current upstream was asked, on the clock of `performance.now()`. */
  #askedAt = 0;

  /** @param format the caller's format. */
  constructor(format: FormatName, keptOfAll: KeptOfAll, estimator: UsageEstimator = LOCAL_ESTIMATOR) {
    this.#format = format;
    this.answer = new PassedAnswer(format, keptOfAll);
    this.#estimator = estimator;
  }

  get planned(): PlannedUsage {
    this.#planned ??= new PlannedUsage();
    return this.#planned;
  }

  /**
   * Called when an upstream is asked.
   * @param bytes the length of the body.
   * @param counted IDs of responses whose usage was counted, for a request of a stored one.
   */
  asked({ endpoint, body }: Omit<SentBody, 'bytes'>, bytes: number, asksModel: boolean, counted: Set<string>): void {
    this.#askedAt = performance.now();
    if (asksModel) this.#sent = new SentRequest({ endpoint, body, bytes });
    else if (endpoint === '/responses/') this.#counted = counted;
    else if (isPassed(endpoint) && !isFree(endpoint))
      this.#sent = new SentRequest({ endpoint, bytes: isPricedByToken(endpoint) ? bytes : 0 });
  }

  /** Called after a streamed body was sent. */
  passed(body: Buffer): void {
    this.#sent?.passed(body);
  }

  start(form: AnswerForm): void {
    this.answer.start(form);
    const isPassed = form.isNative && form.status < 400 && form.isEventStream;
    // Translated requests have no tools of the service.
    if (isPassed && this.#planned?.startWatch(this.#format)) this.answer.watch = this.#planned;
  }

  /** Sets a usage that was read elsewhere, such as by the translation. */
  report(count: UsageCount): void {
    const usage = validUsage(count.usage);
    const { hasUnlistedPrice = count.usage.hasUnlistedPrice } = count;
    this.reported = usage && { ...count, usage, ...(hasUnlistedPrice && { hasUnlistedPrice }) };
  }

  /** Called when another upstream is asked: usage reported by the previous one does not belong to its answer. */
  forget(): void {
    this.reported = undefined;
    this.#askedAt = performance.now();
  }

  /** The upstream's own reason for a cache miss, if it reports one. Known once {@link end} has returned or resolved. */
  get upstreamMissReason(): string | undefined {
    return this.answer.reader?.upstreamMissReason;
  }

  /** The usage while the answer is running: the reservation, or a rough estimate. */
  get soFar(): UsageCount | undefined {
    this.answer.readAll();
    if (this.#sent === undefined) return undefined;
    const reported = this.reported?.isEstimated === false ? withoutReportedCost(this.reported.usage) : undefined;
    if (this.#planned?.plan !== undefined) return reserved(this.#planned.plan, reported);
    const usage = {
      inputTokens: this.#sent.approximateTokens,
      ...reported,
      outputTokens: this.answer.approximateTokens,
    };
    return { usage, isEstimated: true, bound: 'visible' };
  }

  /**
   * Returns the usage of an attempt without an answer.
   * @returns undefined if no model was asked.
   */
  ofAttempt(billed: BilledFailure, attempt: AskedAttempt): UsageCount | undefined | Promise<UsageCount> {
    const model = { upstream: attempt.upstream, model: attempt.model };
    const usage = billed.usage && asBilled(validUsage(billed.usage), model);
    if (this.#sent === undefined) return undefined;
    if (usage !== undefined && billed.isWhole) return exact({ usage });
    const plan = this.#planned?.plan;
    const unreported = this.#unreported(this.#sent);
    if (plan !== undefined) {
      // Durations are whole milliseconds, and a model may have written something in less than one.
      const elapsedMs = Math.max(attempt.durationMs, 1);
      return unreported.boundedAttempt(plan, this.#planned?.speeds, { model, elapsedMs }, usage);
    }
    return unreported.estimatedAttempt(usage, model).then((count) => this.#withFallbacks(count, model));
  }

  /** Like {@link ofAttempt}, but synchronous, with what is known so far. */
  ofAttemptSoFar({ usage: reported, isWhole }: BilledFailure): UsageCount | undefined {
    const usage = reported && withoutReportedCost(validUsage(reported));
    if (this.#sent === undefined) return undefined;
    if (usage !== undefined && isWhole) return exact({ usage });
    if (this.#planned?.plan !== undefined) return reserved(this.#planned.plan, usage);
    const known = { inputTokens: this.#sent.approximateTokens, outputTokens: 0, ...usage };
    return { usage: known, isEstimated: true, bound: 'visible' };
  }

  /**
   * Called at the end of the answer, once.
   * @returns undefined if nothing was used or no model was asked.
   */
  end(ending: AnswerEnding): UsageCount | undefined | Promise<UsageCount | undefined> {
    this.answer.readAll();
    const count = this.#count(ending);
    if (count instanceof Promise) return count.finally(() => this.answer.release());
    this.answer.release();
    return count;
  }

  #count(ending: AnswerEnding): UsageCount | undefined | Promise<UsageCount | undefined> {
    const { isNative, status } = this.answer.form ?? {};
    const sent = this.#sent;
    if (this.#counted !== undefined) return polledUsage(this.answer, this.#counted);
    if (sent === undefined || (status === undefined ? !ending.mayBeBilled : status >= 400)) return undefined;
    const count = this.answer.isCompressed
      ? this.answer.reportedCompressed().then((reported) => this.#settle(sent, reported, ending))
      : this.#settle(sent, this.#latest(), ending);
    // Translated requests have no fallback models.
    if (isNative === false) return count;
    if (!(count instanceof Promise)) return this.#withFallbacks(count, ending.model);
    return count.then((known) => this.#withFallbacks(known, ending.model));
  }

  /** An answer that names the requested model confirms it. */
  #withFallbacks<Count extends UsageCount | undefined>(count: Count, { model }: CountedModel): Count {
    if (count === undefined || count.model === model) return count;
    const { fallbackModels = [] } = this.#sent ?? {};
    return fallbackModels.length === 0 ? count : { ...count, fallbackModels };
  }

  #latest(): ReportedCount | undefined {
    const { usage, isEstimated = true, isPartial = false, model, hasUnlistedPrice = false } = this.reported ?? {};
    const isIncomplete = usage === undefined || isEstimated || isPartial || usage.inputTokens === 0;
    const { isRead, isEventStream, reader } = this.answer;
    // The usage that was removed from the stream may be an early count, and the whole usage in the rest.
    const passed = isIncomplete && isRead ? this.answer.reported() : undefined;
    if (usage === undefined || isEstimated || passed?.isPartial === false) return passed;
    // A usage that was removed from the stream is as incomplete as the rest if the answer was cut off.
    const isCut = isRead && isEventStream && this.answer.progress?.hasAllOutput !== true;
    return {
      usage,
      isPartial: isPartial || isCut || usage.inputTokens === 0,
      model: model ?? reader?.model,
      hasUnlistedPrice,
      // Translated requests have no tools of the service.
      ...(isRead && { reportsSearches: usage.webSearches !== undefined }),
    };
  }

  #settle(
    sent: SentRequest,
    latest: ReportedCount | undefined,
    ending: AnswerEnding,
  ): UsageCount | undefined | Promise<UsageCount> {
    const { model, hasLeft = false } = ending;
    const reported = latest && { ...latest, usage: asBilled(this.answer.withHeaderCost(latest.usage), model) };
    const isComplete = reported !== undefined && !reported.isPartial && !(reported.isInputEarly && this.#mayGrow());
    const plan = this.#planned?.plan;
    if (plan !== undefined) {
      const elapsedMs = performance.now() - this.#askedAt;
      if (!isComplete || this.answer.showsMoreThan(reported.usage.outputTokens))
        return this.#unreported(sent).bounded(plan, this.#planned?.speeds, { model, elapsedMs, hasLeft }, reported);
      this.#planned?.speeds?.learn(model, reported.usage.outputTokens, elapsedMs);
      return this.#asPriced(sent, this.#planned?.count(reported) ?? exact(reported), reported);
    }
    // Only a complete usage is compared with what passed, because all of that must be read.
    if (isComplete && !(reported.usage.outputTokens === 0 && this.answer.showsMoreThan(0)))
      return this.#asPriced(sent, exact(reported), reported);
    if (reported === undefined && isOnlyBegun(this.answer)) return undefined;
    const { isEstimated, usage } = this.reported ?? {};
    if (isEstimated === true && usage !== undefined)
      return { ...this.reported, usage: withoutReportedCost(usage), isEstimated, bound: 'visible' };
    return this.#unreported(sent).estimated(reported, model);
  }

  /** Marks a count as an estimate if what it costs is not known: an unlisted price, or the fees of unreported searches. */
  #asPriced(sent: SentRequest, count: UsageCount, reported: ReportedCount): UsageCount {
    if (count.usage.reportedCost !== undefined) return count;
    const { hasUnlistedPrice = false, reportsSearches = true } = reported;
    const isUnknown = hasUnlistedPrice || (!reportsSearches && sent.mayMakeSearches(this.#format));
    return isUnknown ? { ...count, isEstimated: true } : count;
  }

  /** Whether tools of the service may have added to the input after it was reported. */
  #mayGrow(): boolean {
    return this.#planned?.plan?.mayGrow === true || this.answer.includes(TOOL_OF_SERVICE);
  }

  #unreported(sent: SentRequest): UnreportedUsage {
    const { shownSearches = 0 } = this.answer.reader ?? {};
    return new UnreportedUsage({ sent, passed: this.answer, estimator: this.#estimator, shownSearches });
  }
}

function exact({ usage, model }: Pick<ReportedCount, 'usage' | 'model'>): UsageCount {
  return { usage, isEstimated: false, ...(model !== undefined && { model }) };
}

/** Removes a reported amount if the service key pays: that bill follows from its prices, whatever answers contain. */
function asBilled<Reported extends Usage | undefined>(usage: Reported, { upstream }: CountedModel): Usage | Reported {
  return PAID_UPSTREAMS.has(upstream) ? withoutReportedCost(usage) : usage;
}

/**
 * Returns what a stored response has used that was made in the background. Only a later request for it shows that, and
 * clients send several, so the first one that shows it counts.
 * @param counted IDs of responses that were counted. This one is added.
 * @returns undefined if it was counted when it was made, or before.
 */
function polledUsage(answer: PassedAnswer, counted: Set<string>): UsageCount | undefined {
  const response = backgroundResponse(answer);
  const { id, status } = response ?? {};
  if (response === undefined || RUNNING.has(status) || typeof id !== 'string' || counted.has(id)) return undefined;
  const reader = new UsageReader('responses');
  reader.readAnswer(response);
  const { usage, model } = reader.reported() ?? {};
  if (usage === undefined) return undefined;
  counted.add(id);
  const [oldest = id] = counted;
  if (counted.size > MAX_COUNTED) counted.delete(oldest);
  return { usage, isEstimated: false, ...(model !== undefined && { model }) };
}

/** Whether an answer says only that the response is being made, so that it has used nothing yet. */
function isOnlyBegun(answer: PassedAnswer): boolean {
  return RUNNING.has(backgroundResponse(answer)?.status);
}

function backgroundResponse(answer: PassedAnswer): JsonRecord | undefined {
  if ((answer.form?.status ?? 400) >= 400 || answer.keptPart < 1 || answer.isEventStream) return undefined;
  const bytes = decompress(answer.beginning, answer.form?.encoding ?? '', MAX_BYTES);
  const response = bytes?.includes('"background"') ? parseJson(bytes.toString()) : undefined;
  return isRecord(response) && response.background === true ? response : undefined;
}
