import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import { CallerRequest } from '../../core/callerRequest.ts';
import { CallHandle } from '../../core/callHandle.ts';
import { noCompaction } from '../../core/compactionRefusal.ts';
import { sendApiError } from '../../core/gatewayAnswer.ts';
import { type AnswerSink, repeatable, type UpstreamCall, type UpstreamRequest } from '../../core/upstream.ts';
import { able, type CallPlan, type CallServices, type Candidate } from '../callPlan.ts';
import { Attempt } from './attempt.ts';
import { AttemptLog, type RunningAttempt } from './attemptLog.ts';
import {
  type Failure,
  failureOfCall,
  isClearer,
  isOtherUse,
  isUnreachable,
  lacksCompaction,
  timedOut,
  unbilled,
  withoutTrigger,
} from './failure.ts';
import { AnswerFront, type PreparedCall, prepareCall, reportFailure } from './preparedCall.ts';

/** Random delay before the retry after a transient failure, so that many clients do not retry at the same moment. */
const MIN_RETRY_MS = 100;
const RETRY_JITTER_MS = 200;

/**
 * Asks one upstream after the other until one answers. If none does, reports the first failure that an upstream has
 * returned itself, otherwise the first failure. A single upstream is asked a second time after a failure that is often
 * transient.
 */
export class RoutedCall extends CallHandle {
  #caller: CallerRequest;
  readonly #plan: CallPlan;
  readonly #sink: AnswerSink;
  readonly #services: CallServices;
  /** Undefined while there is nothing to note, because the only upstream is asked for the first time. */
  #log: AttemptLog | undefined;
  #waiting: readonly Candidate[];
  #mayRetry = false;
  #failures = 0;
  #first: { readonly failure: Failure; readonly asking: RunningAttempt } | undefined;
  #refusal: ApiError | undefined;
  #asking: RunningAttempt | undefined;
  /** The call to the current upstream, without the translation. */
  #upstreamCall: UpstreamCall | undefined;
  #retry: NodeJS.Timeout | undefined;
  #total: NodeJS.Timeout | undefined;
  #isOver = false;
  /** Whether a failed attempt may be billed and no other upstream has been asked since. */
  #isBilled = false;

  constructor(caller: CallerRequest, plan: CallPlan, sink: AnswerSink, services: CallServices) {
    super();
    this.#caller = caller;
    this.#plan = plan;
    this.#sink = sink;
    this.#services = services;
    if (plan.route !== undefined || plan.candidates.length > 1) this.#createLog();
    this.#waiting = plan.candidates;
    const { totalSeconds = 0 } = plan.limits;
    if (totalSeconds > 0) this.#total = setTimeout(this.#endTotal, totalSeconds * 1000);
    const loaded = plan.candidates.length > 1 ? services.load(plan.candidates) : undefined;
    if (loaded === undefined) this.#begin();
    else void loaded.then(() => this.#begin());
  }

  override cancel(): void {
    this.#finish();
    if (this.#asking !== undefined) this.#log?.ended(this.#asking.candidate);
    this.#asking?.attempt.cancel();
    super.cancel();
  }

  #createLog(): AttemptLog {
    this.#log = new AttemptLog(this.#plan.route, (attempt, billed) => this.#sink.attempted?.(attempt, billed));
    return this.#log;
  }

  #begin(): void {
    if (this.#isOver) return;
    const { candidates } = this.#plan;
    this.#waiting =
      candidates.length > 1
        ? able(candidates, this.#services.missing, (...skipped) => this.#log?.skipped(...skipped))
        : candidates;
    this.#mayRetry = this.#waiting.length === 1;
    this.#next();
  }

  #next(): void {
    const [candidate, ...waiting] = this.#waiting;
    if (this.#isOver) return;
    this.#waiting = waiting;
    if (candidate !== undefined) this.#ask(candidate);
    else if (this.#first !== undefined && this.#isOnlyOne(this.#first.failure)) {
      this.#retryLater(this.#first.asking.candidate);
    } else this.#giveUp();
  }

  /** Whether the others were skipped because the request cannot be translated for them. */
  #isOnlyOne({ isPassing }: Failure): boolean {
    return this.#failures === 1 && this.#refusal !== undefined && isPassing === true && this.#canSendAgain();
  }

  /** If an earlier attempt may be billed, first reserves the cost of another one. */
  #ask(candidate: Candidate): void {
    const { original, format } = this.#caller;
    // Other formats cannot request a compaction, so the upstream would answer the conversation instead.
    if (original.asksCompaction === true && candidate.member.targets[format.name] !== undefined) {
      this.#finish();
      sendApiError(this.#sink, format, noCompaction(original));
      return;
    }
    const mayAsk = this.#isBilled ? (this.#sink.mayTryAgain?.() ?? true) : true;
    this.#isBilled = false;
    if (mayAsk === true) this.#askNow(candidate);
    else if (mayAsk !== false) {
      void mayAsk.then((may) => {
        if (may && !this.#isOver) this.#askNow(candidate);
      });
    }
  }

  #askNow(candidate: Candidate): void {
    const side = { sink: this.#sink, createFront: () => this.#createFront(candidate), route: this.#plan.route };
    const prepared = prepareCall(this.#caller, candidate, side, this.#services);
    if ('kind' in prepared) {
      this.#refusal ??= prepared;
      (this.#log ?? this.#createLog()).skipped(candidate, prepared.param ?? 'request');
      this.#next();
      return;
    }
    const { request, writeBody } = prepared;
    if (writeBody === undefined) this.#send(this.#begun(candidate, prepared), request);
    else {
      void writeBody().then((body) => {
        if (!this.#isOver) this.#send(this.#begun(candidate, prepared), { ...request, body });
      });
    }
  }

  #createFront(candidate: Candidate): AnswerFront {
    return new AnswerFront({
      sink: this.#sink,
      headers: () => this.#headers(candidate),
      // The upstream has answered, and may bill it.
      onFailed: (error, begun = {}) => this.#asking && this.#failed(this.#asking, failureOfCall(error, begun)),
      onEnded: () => this.#ended(candidate),
    });
  }

  #headers(candidate: Candidate): OutgoingHttpHeaders | undefined {
    return this.#plan.isSingle ? undefined : (this.#log?.headers(candidate) ?? this.#plan.headers);
  }

  #ended(candidate: Candidate): void {
    this.#finish();
    this.#log?.ended(candidate);
  }

  #begun(candidate: Candidate, prepared: PreparedCall): RunningAttempt {
    const { format, isReadable, isTranslated, sink } = prepared;
    const attempt = new Attempt({
      sink,
      format,
      isReadable,
      triggers: this.#plan.triggers,
      firstTokenSeconds: this.#plan.limits.firstTokenSeconds ?? candidate.member.firstTokenSeconds,
      asksForStream: () => this.#caller.asksForStream,
      onCommitted: (status) => this.#committed(asking, status),
      onFailed: (failure) => this.#failed(asking, failure),
      // A translation can end before or after the answer that it reads.
      onEnded: isTranslated ? undefined : () => this.#ended(candidate),
    });
    const asking: RunningAttempt = { candidate, prepared, attempt, at: Date.now(), sentAt: performance.now() };
    return asking;
  }

  #send(asking: RunningAttempt, written: UpstreamRequest): void {
    const { candidate, prepared, attempt } = asking;
    const { idleSeconds } = this.#plan.limits;
    const request = idleSeconds === undefined ? written : { ...written, idleSeconds };
    this.#asking = asking;
    this.call = undefined;
    this.#upstreamCall = undefined;
    this.#log?.asked(asking);
    this.#sink.routed?.(prepared.routing);
    const tapped = prepared.isTranslated ? (this.#sink.tap?.(request, attempt) ?? attempt) : attempt;
    const call = candidate.member.upstream.send(request, tapped);
    // `send` may have failed synchronously, and the next attempt may already run.
    if (attempt.isOver) call.cancel();
    if (this.#asking !== asking) return;
    this.#upstreamCall = call;
    this.call = prepared.attach?.(call) ?? call;
  }

  /** @returns headers to add to the answer, unless its translation adds them. */
  #committed({ candidate, prepared, sentAt }: RunningAttempt, status: number): OutgoingHttpHeaders | undefined {
    this.#caller.original.bodyStream?.release?.();
    const { member, model } = candidate;
    if (member.health.isTroubled) member.health.answered(model, sentAt);
    this.#log?.committed(candidate, status);
    this.#plan.onAnswer?.(candidate);
    return prepared.isTranslated ? undefined : this.#headers(candidate);
  }

  #failed(asking: RunningAttempt, reported: Failure): void {
    if (this.#isOver || this.#asking !== asking) return;
    const { candidate, prepared, attempt } = asking;
    const { original } = this.#caller;
    const isCompactionMissing = lacksCompaction(reported, original);
    const failure = isCompactionMissing ? withoutTrigger(reported) : reported;
    attempt.cancel();
    prepared.front?.close();
    // Keeps the translation, in case this failure is reported to the caller.
    this.#upstreamCall?.cancel();
    this.#upstreamCall = undefined;
    this.call = undefined;
    const { member, model } = candidate;
    if (!isOtherUse(failure, original)) member.health.failed(model, failure, asking.sentAt);
    if (this.#log === undefined) this.#createLog().asked(asking);
    this.#log?.failed(candidate, failure);
    this.#isBilled = failure.billed !== undefined;
    this.#failures += 1;
    const isFirst = this.#first === undefined;
    const concernsRequest = isCompactionMissing && !isUnreachable(failure);
    if (this.#first === undefined || concernsRequest || isClearer(failure, this.#first.failure))
      this.#first = { failure, asking };
    const { trigger } = failure;
    // A request that a later upstream rejects as invalid can still be valid for the next one.
    const isFinal = (isFirst || isCompactionMissing) && (trigger === undefined || !this.#plan.triggers.has(trigger));
    if (isFinal) this.#giveUp();
    else if (this.#mayRetry && failure.isPassing && this.#canSendAgain()) this.#retryLater(candidate);
    else if (trigger === 'overflow') void this.#askLarger(candidate);
    else this.#next();
  }

  #retryLater(candidate: Candidate): void {
    const again = this.#withWholeBody(candidate);
    this.#mayRetry = false;
    this.#retry = setTimeout(() => this.#ask(again), MIN_RETRY_MS + Math.random() * RETRY_JITTER_MS);
  }

  #canSendAgain(): boolean {
    return repeatable(this.#caller.original) !== undefined;
  }

  /** The complete body names the model, which was unknown while the body was streamed. */
  #withWholeBody(candidate: Candidate): Candidate {
    const { original } = this.#caller;
    const whole = original.bodyStream && repeatable(original);
    if (whole === undefined) return candidate;
    this.#caller = new CallerRequest(whole);
    return { ...candidate, model: this.#caller.model ?? candidate.model };
  }

  async #askLarger(failed: Candidate): Promise<void> {
    const larger = await this.#services.larger(failed, this.#waiting);
    if (this.#isOver) return;
    for (const candidate of this.#waiting) {
      if (!larger.includes(candidate)) this.#log?.skipped(candidate, 'context_window');
    }
    this.#waiting = larger;
    this.#next();
  }

  #giveUp(): void {
    const { format } = this.#caller;
    this.#finish();
    if (this.#first === undefined) {
      if (this.#refusal !== undefined) sendApiError(this.#sink, format, this.#refusal);
      return;
    }
    const { failure, asking } = this.#first;
    const front = asking.prepared.front ?? this.#createFront(asking.candidate);
    const prepared = asking.prepared.isTranslated ? asking.prepared : { ...asking.prepared, sink: front };
    front.reopen();
    front.routed(prepared.routing);
    // The possible cost was already reported with the attempt.
    reportFailure({ ...failure, error: unbilled(failure.error) }, prepared, front, format);
  }

  readonly #endTotal = (): void => {
    this.cancel();
    const { totalSeconds } = this.#plan.limits;
    this.#sink.fail(timedOut(`The answer took longer than the route's limit of ${totalSeconds} seconds.`));
  };

  /** No further upstream is asked. */
  #finish(): void {
    this.#isOver = true;
    if (this.#retry !== undefined) clearTimeout(this.#retry);
    if (this.#total !== undefined) clearTimeout(this.#total);
  }
}
