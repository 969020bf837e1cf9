import type { FormatName } from '../../formats/conversation.ts';
import { validUsage, withoutReportedCost } from '../../formats/usage.ts';
import type { CountedModel } from '../../ledger/outputSpeeds.ts';
import type { BilledFailure } from '../../ledger/upstreamAttempt.ts';
import type { UsageCount } from '../core/upstream.ts';
import type { UsageEstimator } from '../core/usageEstimator.ts';
import { shortObject } from '../http/jsonBody.ts';
import { workInTurn } from '../http/turns.ts';
import { reserved } from './boundedUsage.ts';
import { LOCAL_ESTIMATOR } from './localEstimator.ts';
import { type AnswerForm, BEGINNING_BYTES, PassedAnswer } from './passedAnswer.ts';
import { PlannedUsage } from './plannedUsage.ts';
import { asBilled, type ReportedCount, reportedBy, reportedIn } from './reportedCount.ts';
import { type SentBody, SentRequest } from './sentRequest.ts';
import { TOOL_OF_SERVICE, UnreportedUsage } from './unreportedUsage.ts';
import { asPlanned, exact } from './usageCounts.ts';
import { UsageMeter } from './usageMeter.ts';
import { UsageReader } from './usageReader.ts';

export interface Ending {
  /** Whether an upstream may have processed the request although no answer started. */
  readonly mayBeBilled: boolean;
  /** Whether the gateway has closed the connection to an upstream that was still writing. */
  readonly hasLeft?: boolean;
  readonly model: CountedModel;
}

/** Bytes are read in blocks of this size, because starting a search costs as much as searching several kilobytes. */
const READ_AT_ONCE = 8 * 1024;
/** More than this is not left for the end of the step, because its time would count for no turn of the event loop. */
const MAX_UNREAD = 32 * 1024;

/** An attempt that has failed after it was asked. */
type AskedAttempt = CountedModel & { readonly durationMs: number };

/**
 * Determines the usage of one answer, from the bytes that pass or from the translation. Reading them does not delay the
 * client: Node.js sends written bytes at the end of the current step, and they are read after that. If the usage is not reported
 * completely, it is estimated from what passed, after the end. With a plan, the most that it can have been counts
 * instead, because models can do more than they show.
 */
export class AnswerUsage {
  readonly #format: FormatName;
  readonly #estimator: UsageEstimator;
  readonly #passed: PassedAnswer;
  /** Whether the answer passes unchanged and uncompressed, so that its bytes are read. */
  #isRead = false;
  /** Reads the bytes of a stream or of a long answer while they pass. */
  #meter: UsageMeter | undefined;
  /** Has read a short answer at its end. */
  #reader: UsageReader | undefined;
  #unread: Buffer[] = [];
  #unreadLength = 0;
  #isReadDue = false;
  /** Set by {@link report} only. */
  reported: UsageCount | undefined;
  #upstreamMissReason: string | undefined;
  /** The number of web searches that a compressed stream has shown. */
  #shownSearches = 0;
  /** Undefined if no limit depends on the usage. */
  #planned: PlannedUsage | undefined;
  #sent: SentRequest | undefined;
  /** When the current upstream was asked, on the clock of `performance.now()`. */
  #askedAt = 0;

  /** @param format the caller's format. */
  constructor(format: FormatName, estimator: UsageEstimator = LOCAL_ESTIMATOR) {
    this.#format = format;
    this.#passed = new PassedAnswer(format);
    this.#estimator = estimator;
  }

  get planned(): PlannedUsage {
    this.#planned ??= new PlannedUsage();
    return this.#planned;
  }

  /** Called when a model is asked. */
  sent(request: SentBody): void {
    this.#sent = new SentRequest(request);
    this.#askedAt = performance.now();
  }

  /** Called after a streamed body was sent. */
  passed(body: Buffer): void {
    this.#sent?.passed(body);
  }

  start(form: AnswerForm): void {
    this.#passed.start(form);
    const { isNative, status, encoding, isEventStream } = form;
    if (!isNative || status >= 400) return;
    this.#isRead = encoding === '';
    if (this.#isRead && isEventStream) this.#meter = new UsageMeter(this.#format, true);
    // Translated requests have no tools of the service.
    if (this.#planned !== undefined && this.#passed.isEventStream) this.#planned.start(this.#format);
  }

  /** Must be called after the chunk was written to the client. The chunk must not be modified afterwards. */
  add(chunk: Buffer): void {
    this.#unread.push(chunk);
    this.#unreadLength += chunk.length;
    const isWatching = this.#planned?.isWatching === true;
    if (this.#unreadLength < READ_AT_ONCE && !isWatching) return;
    if (this.#unreadLength >= MAX_UNREAD || isWatching) this.#readAll();
    else if (!this.#isReadDue) {
      this.#isReadDue = true;
      process.nextTick(this.#readDue);
    }
  }

  readonly #readDue = (): void => {
    this.#isReadDue = false;
    workInTurn(this.#readAll, undefined);
  };

  readonly #readAll = (): void => {
    if (this.#unread.length === 0) return;
    const bytes = joined(this.#unread);
    this.#unread = [];
    this.#unreadLength = 0;
    this.#passed.add(bytes);
    if (this.#meter !== undefined) this.#meter.push(bytes);
    else if (this.#isRead && this.#passed.length >= BEGINNING_BYTES) this.#meterWhole();
    if (this.#planned?.isWatching) this.#planned.read(bytes);
  };

  /** Called while the whole beginning of the answer is kept. */
  #meterWhole(): UsageMeter {
    this.#meter = new UsageMeter(this.#format, false);
    this.#meter.push(this.#passed.kept);
    return this.#meter;
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

  /** Whether the passing bytes are read. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** The upstream's own reason for a cache miss, if it reports one. Known once {@link end} has returned or resolved. */
  get upstreamMissReason(): string | undefined {
    return this.#upstreamMissReason ?? (this.#meter?.reader ?? this.#reader)?.upstreamMissReason;
  }

  /** Whether the passing bytes were cut off before their last event. */
  get isCut(): boolean {
    this.#readAll();
    return this.#meter?.isCut === true;
  }

  /** Whether the passing bytes are complete, possibly except for the format's last event. */
  get hasAllOutput(): boolean {
    this.#readAll();
    return this.#meter?.hasAllOutput === true;
  }

  /** Whether the passing bytes are complete except for the format's last event. */
  get lacksLastEvent(): boolean {
    this.#readAll();
    return this.#meter?.hasAllOutput === true && !this.#meter.hasLastEvent;
  }

  /** Whether the passing bytes end with an error reported by the upstream. */
  get hasFailed(): boolean {
    this.#readAll();
    return this.#meter?.hasFailed === true;
  }

  /** The usage while the answer is running: the reservation, or a rough estimate. */
  get soFar(): UsageCount | undefined {
    this.#readAll();
    if (this.#sent === undefined) return undefined;
    const reported = this.reported?.isEstimated === false ? withoutReportedCost(this.reported.usage) : undefined;
    if (this.#planned?.plan !== undefined) return reserved(this.#planned.plan, reported);
    const usage = {
      inputTokens: this.#sent.approximateTokens,
      ...reported,
      outputTokens: this.#passed.approximateTokens,
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
    if (plan !== undefined)
      return unreported.boundedAttempt(plan, this.#planned?.speeds, { model, elapsedMs: attempt.durationMs }, usage);
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
  end(ending: Ending): UsageCount | undefined | Promise<UsageCount | undefined> {
    this.#readAll();
    const count = this.#count(ending);
    if (count instanceof Promise) return count.finally(() => this.#passed.release());
    this.#passed.release();
    return count;
  }

  #count(ending: Ending): UsageCount | undefined | Promise<UsageCount | undefined> {
    const { isNative, status } = this.#passed.form ?? {};
    const sent = this.#sent;
    if (sent === undefined || (status === undefined ? !ending.mayBeBilled : status >= 400)) return undefined;
    const count = this.#passed.isCompressed
      ? this.#endCompressed(sent, ending)
      : this.#settle(sent, this.#latest(), ending);
    // Translated requests have no fallback models.
    if (isNative === false) return count;
    if (!(count instanceof Promise)) return this.#withFallbacks(count, ending.model);
    return count.then((known) => this.#withFallbacks(known, ending.model));
  }

  /** An answer that names the requested model confirms it. */
  #withFallbacks(count: UsageCount, { model }: CountedModel): UsageCount {
    if (count.model === model) return count;
    const { fallbackModels = [] } = this.#sent ?? {};
    return fallbackModels.length === 0 ? count : { ...count, fallbackModels };
  }

  async #endCompressed(sent: SentRequest, ending: Ending): Promise<UsageCount> {
    const plain = await this.#passed.decompress();
    if (plain === undefined) return this.#settle(sent, undefined, ending);
    const meter = new UsageMeter(this.#format, this.#passed.isEventStream);
    meter.push(plain);
    if (this.#planned?.isWatching) this.#planned.read(plain);
    const reported = reportedBy(meter);
    this.#upstreamMissReason = meter.reader.upstreamMissReason;
    this.#shownSearches = meter.reader.shownSearches;
    return this.#settle(sent, reported, ending);
  }

  #latest(): ReportedCount | undefined {
    const { usage, isEstimated = true, isPartial = false, model, hasUnlistedPrice = false } = this.reported ?? {};
    const isIncomplete = usage === undefined || isEstimated || isPartial || usage.inputTokens === 0;
    // The usage that was removed from the stream may be an early count, and the whole usage in the rest.
    const passed = isIncomplete && this.#isRead ? this.#reportedByBytes() : undefined;
    if (usage === undefined || isEstimated || passed?.isPartial === false) return passed;
    // A usage that was removed from the stream is as incomplete as the rest if the answer was cut off.
    const isCut = this.#meter?.hasAllOutput === false;
    return {
      usage,
      isPartial: isPartial || isCut || usage.inputTokens === 0,
      model: model ?? this.#meter?.reader.model,
      hasUnlistedPrice,
      // Translated requests have no tools of the service.
      ...(this.#isRead && { reportsSearches: usage.webSearches !== undefined }),
    };
  }

  #reportedByBytes(): ReportedCount | undefined {
    if (this.#meter !== undefined) return reportedBy(this.#meter);
    const answer = shortObject(this.#passed.kept);
    if (answer === undefined) return reportedBy(this.#meterWhole());
    this.#reader = new UsageReader(this.#format);
    this.#reader.readAnswer(answer);
    return reportedIn(this.#reader, this.#format);
  }

  #settle(sent: SentRequest, latest: ReportedCount | undefined, ending: Ending): UsageCount | Promise<UsageCount> {
    const { model, hasLeft = false } = ending;
    const reported = latest && { ...latest, usage: asBilled(this.#passed.withHeaderCost(latest.usage), model) };
    const isComplete = reported !== undefined && !reported.isPartial && !(reported.isInputEarly && this.#mayGrow());
    const plan = this.#planned?.plan;
    if (plan !== undefined) {
      const elapsedMs = performance.now() - this.#askedAt;
      if (!isComplete || this.#passed.showsMoreThan(reported.usage.outputTokens))
        return this.#unreported(sent).bounded(plan, this.#planned?.speeds, { model, elapsedMs, hasLeft }, reported);
      this.#planned?.speeds?.learn(model, reported.usage.outputTokens, elapsedMs);
      return this.#asPriced(sent, asPlanned(plan, reported), reported);
    }
    // Only a complete usage is compared with what passed, because all of that must be read.
    if (isComplete && !(reported.usage.outputTokens === 0 && this.#passed.showsMoreThan(0)))
      return this.#asPriced(sent, exact(reported), reported);
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
    return this.#planned?.plan?.mayGrow === true || this.#passed.includes(TOOL_OF_SERVICE);
  }

  #unreported(sent: SentRequest): UnreportedUsage {
    const shownSearches = this.#meter?.reader.shownSearches ?? this.#shownSearches;
    return new UnreportedUsage({ sent, passed: this.#passed, estimator: this.#estimator, shownSearches });
  }
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}
