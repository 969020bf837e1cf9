import type { FormatName, Usage } from '../../formats/conversation.ts';
import type { Endpoint } from '../core/endpoint.ts';
import { fallbackModels } from '../core/fallbackModels.ts';
import type { UsageCount } from '../core/upstream.ts';
import type { BilledFailure } from '../core/upstreamAttempt.ts';
import type { CountedModel, UsageEstimator } from '../core/usageEstimator.ts';
import { type ShownTurns, type UsagePlan, withTurns } from '../core/usagePlan.ts';
import { decompressLater, readsEncoding } from '../http/contentEncoding.ts';
import { estimatedOutput, LOCAL_ESTIMATOR } from './localEstimator.ts';
import { PassedAnswer } from './passedAnswer.ts';
import { TurnWatch } from './turnWatch.ts';
import { exact, reserved, validUsage } from './usageCounts.ts';
import { UsageMeter } from './usageMeter.ts';
import { isEventStream } from './usageScanner.ts';

/** What was sent. */
export interface SentRequest {
  readonly endpoint: Endpoint;
  /** Absent where it went on as it came. */
  readonly body?: Uint8Array | undefined;
  /** Of the body. */
  readonly bytes: number;
}

/** How an answer reaches the caller. */
export interface AnswerForm {
  readonly status: number;
  readonly contentType: string;
  /** Empty where it is plain. */
  readonly encoding: string;
  /** Whether the upstream speaks the caller's format, so that its own words pass. */
  readonly isNative: boolean;
}

export interface Ending {
  /** Whether an upstream may have worked for it although no answer began. */
  readonly mayBeBilled: boolean;
  /** Whether the upstream broke, and was not left. */
  readonly isBroken?: boolean;
  readonly model: CountedModel;
}

/** Of an answer that can be read, and of a compressed one, kept until its end in case that nobody counts. */
const MAX_KEPT = 512 * 1024;
const MAX_KEPT_COMPRESSED = 4 * 1024 * 1024;
const MAX_DECOMPRESSED = 64 * 1024 * 1024;
/** A longer body of a request is sized up by its length. */
const MAX_KEPT_BODY = 1024 * 1024;
const BYTES_PER_TOKEN = 4;
/** A count below this part of what could be seen is not believed where a limit goes by it. */
const MIN_PART_COUNTED = 0.5;
/** What the events of a stream take for a token, more or less, in bytes. */
const USUAL_BYTES_PER_TOKEN = 200;
/** No format takes more for a token, in bytes of its events. */
const MAX_BYTES_PER_TOKEN = 400;

interface Told {
  readonly usage: Usage;
  readonly isPartial: boolean;
  readonly model?: string | undefined;
  /** Whether the input was told before the answer alone. */
  readonly isInputEarly?: boolean;
}

const TOOL_OF_SERVICE = '"server_tool_use"';

/**
 * What one answer used, from whoever knows: the bytes that pass, or who has translated it. Where nobody tells all of it,
 * what passed is sized up after the end; with a plan all that was set aside counts, as models may do more than they show.
 */
export class AnswerUsage {
  readonly #format: FormatName;
  readonly #estimator: UsageEstimator;
  readonly #passed = new PassedAnswer();
  /** Reads along where the answer is passed on as it comes. */
  #meter: UsageMeter | undefined;
  #reported: UsageCount | undefined;
  #plan: UsagePlan | undefined;
  /** Counts along where the service may ask its model again. */
  #turns: TurnWatch | undefined;
  #onTurns: ((turns: number) => void) | undefined;
  #sent: SentRequest | undefined;
  #form: AnswerForm | undefined;
  #mostKept = MAX_KEPT;
  /** Models to fall back on, of a request that is not kept. */
  #fallbackModels: readonly string[] = [];

  /** @param format The caller's. */
  constructor(format: FormatName, estimator: UsageEstimator = LOCAL_ESTIMATOR) {
    this.#format = format;
    this.#estimator = estimator;
  }

  set plan(plan: UsagePlan) {
    this.#plan = plan;
  }

  /** Called when the service asks its model more often than planned, and the plan has these turns. */
  set onTurns(report: (turns: number) => void) {
    this.#onTurns = report;
  }

  /** The service is left before the turn that was planned beyond those that may have begun. */
  leaveNextTurn(): void {
    if (this.#plan !== undefined) this.#plan = withTurns(this.#plan, -1);
  }

  /** A model is asked. */
  sent({ body, ...request }: SentRequest): void {
    const isKept = request.bytes <= MAX_KEPT_BODY;
    this.#sent = { ...request, body: isKept ? body : undefined };
    if (!isKept && body !== undefined) this.passed(body);
  }

  /** A request that is not kept has gone. */
  passed(body: Uint8Array): void {
    this.#fallbackModels = fallbackModels(body);
  }

  start(form: AnswerForm): void {
    this.#form = form;
    if (form.encoding !== '') this.#mostKept = MAX_KEPT_COMPRESSED;
    else if (form.isNative && form.status < 400) this.#meter = new UsageMeter(this.#format, form.contentType);
    // A translated request has no tools of the service.
    if (this.#plan?.turns !== undefined && form.isNative && form.status < 400) this.#startTurns(this.#plan.turns);
  }

  #startTurns({ further }: ShownTurns): void {
    const isShown = this.#meter !== undefined && isEventStream(this.#form?.contentType);
    if (isShown) this.#turns = new TurnWatch(this.#format);
    else this.#addTurns(further);
  }

  #addTurns(turns: number): void {
    if (turns === 0 || this.#plan === undefined) return;
    this.#plan = withTurns(this.#plan, turns);
    this.#onTurns?.(turns);
  }

  /** Called after the chunk was written to the client. The chunk must not be changed any more. */
  add(chunk: Uint8Array | string): void {
    this.#meter?.add(chunk);
    this.#passed.add(chunk, this.#mostKept);
    if (this.#turns !== undefined) this.#addTurns(this.#turns.push(chunk));
  }

  /** Somebody else has read it. */
  report(count: UsageCount): void {
    const usage = validUsage(count.usage);
    this.#reported = usage && { ...count, usage };
  }

  /** Another upstream is asked: what the one before has reported is no part of its answer. */
  forget(): void {
    this.#reported = undefined;
  }

  get reported(): UsageCount | undefined {
    return this.#reported;
  }

  /** Whether the passing bytes are read. */
  get isRead(): boolean {
    return this.#meter !== undefined;
  }

  /** Whether the passing bytes broke off before their last event. */
  get isCut(): boolean {
    return this.#meter?.isCut === true;
  }

  /** Whether the passing bytes say all, apart from the format's last event. */
  get hasSaidAll(): boolean {
    return this.#meter?.hasSaidAll === true;
  }

  /** Whether the passing bytes say all and lack nothing but the format's last event. */
  get lacksLastEvent(): boolean {
    return this.#meter?.hasSaidAll === true && !this.#meter.hasLastEvent;
  }

  /** Whether the passing bytes end in the upstream's own word of an error. */
  get hasFailed(): boolean {
    return this.#meter?.hasFailed === true;
  }

  /** What is known while it goes on: what was set aside, or a rough estimate. */
  get soFar(): UsageCount | undefined {
    if (this.#sent === undefined) return undefined;
    const told = this.#reported?.isEstimated === false ? this.#reported.usage : undefined;
    if (this.#plan !== undefined) return reserved(this.#plan, told);
    const isStream = this.#form?.contentType.startsWith('text/event-stream') === true;
    const output = Math.ceil(this.#passed.length / (isStream ? USUAL_BYTES_PER_TOKEN : BYTES_PER_TOKEN));
    const input = Math.ceil(this.#sent.bytes / BYTES_PER_TOKEN);
    return { usage: { inputTokens: input, ...told, outputTokens: output }, isEstimated: true };
  }

  /** What an attempt has used that gave no answer. @returns undefined where no model was asked. */
  ofAttempt(billed: BilledFailure, model: CountedModel): UsageCount | undefined | Promise<UsageCount> {
    const usage = billed.usage && validUsage(billed.usage);
    if (this.#sent === undefined) return undefined;
    if (usage !== undefined && billed.isWhole) return exact({ usage });
    if (this.#plan !== undefined) return reserved(unseen(this.#plan), usage);
    return this.#sizeUp(usage, model, 0).then((count) => this.#withFallbacks(count, { mayBeBilled: true, model }));
  }

  /** The same without delay, as far as it is known. */
  ofAttemptSoFar({ usage: told, isWhole }: BilledFailure): UsageCount | undefined {
    const usage = told && validUsage(told);
    if (this.#sent === undefined) return undefined;
    if (usage !== undefined && isWhole) return exact({ usage });
    if (this.#plan !== undefined) return reserved(unseen(this.#plan), usage);
    const input = Math.ceil(this.#sent.bytes / BYTES_PER_TOKEN);
    return { usage: { inputTokens: input, outputTokens: 0, ...usage }, isEstimated: true };
  }

  /** The answer is over. @returns undefined when nothing was used, or it was no question to a model. */
  end(ending: Ending): UsageCount | undefined | Promise<UsageCount | undefined> {
    const { encoding, isNative, status } = this.#form ?? {};
    if (this.#sent === undefined || (status === undefined ? !ending.mayBeBilled : status >= 400)) return undefined;
    if (status === undefined && ending.isBroken === true && this.#plan !== undefined) this.#plan = unseen(this.#plan);
    const isPacked = isNative === true && encoding !== undefined && encoding !== '' && readsEncoding(encoding);
    const count = isPacked ? this.#endPacked(encoding, ending) : this.#settle(this.#told(), ending);
    // Translated requests have no fallback models.
    if (isNative === false) return count;
    if (!(count instanceof Promise)) return this.#withFallbacks(count, ending);
    return count.then((known) => known && this.#withFallbacks(known, ending));
  }

  #withFallbacks(count: UsageCount, { model: { model } }: Ending): UsageCount {
    if (count.model === model) return count;
    const { body } = this.#sent ?? {};
    const names = body === undefined ? this.#fallbackModels : fallbackModels(body);
    return names.length === 0 ? count : { ...count, fallbackModels: names };
  }

  async #endPacked(encoding: string, ending: Ending): Promise<UsageCount | undefined> {
    const plain = await decompressLater(this.#passed.bytes(), encoding, MAX_DECOMPRESSED);
    if (plain === undefined) return this.#settle(undefined, ending);
    const meter = new UsageMeter(this.#format, this.#form?.contentType ?? '');
    meter.add(plain);
    return this.#settle(toldBy(meter), ending, plain);
  }

  #told(): Told | undefined {
    const { usage, isEstimated = true, isPartial = false, model } = this.#reported ?? {};
    if (usage === undefined || isEstimated) return this.#meter && toldBy(this.#meter);
    // What was taken out of a stream says as little as the rest of it about an answer that breaks off.
    const isCut = this.#meter?.hasSaidAll === false;
    return { usage, isPartial: isPartial || isCut || usage.inputTokens === 0, model: model ?? this.#meter?.model };
  }

  /** @param plain what was unpacked. */
  #settle(told: Told | undefined, ending: Ending, plain?: Buffer): UsageCount | Promise<UsageCount> {
    const isAll = told !== undefined && !told.isPartial && !this.#mayHaveGrown(told, plain);
    if (this.#plan !== undefined) {
      if (!isAll || this.#isTooLittle(told.usage, plain)) return reserved(this.#plan, told?.usage, told?.model);
      const { pricedModel: mostExpensive } = this.#plan;
      const isUnnamed = told.model === undefined && mostExpensive !== undefined;
      return isUnnamed ? { usage: told.usage, isEstimated: true, model: mostExpensive } : exact(told);
    }
    const isNothing = told?.usage.outputTokens === 0 && this.#isTooLittle(told.usage, plain);
    if (isAll && !isNothing) return exact(told);
    return this.#reported?.isEstimated === true ? this.#reported : this.#estimate(told, ending, plain);
  }

  /** Whether tools of the service may have added to the input after it was told. */
  #mayHaveGrown({ isInputEarly = false }: Told, plain: Buffer | undefined): boolean {
    if (!isInputEarly) return false;
    return this.#plan?.mayGrow === true || (plain ?? this.#passed.bytes()).includes(TOOL_OF_SERVICE);
  }

  #isTooLittle({ outputTokens }: Usage, plain: Buffer | undefined): boolean {
    const length = plain?.length ?? this.#passed.length;
    if (length <= outputTokens * MAX_BYTES_PER_TOKEN) return false;
    return outputTokens < estimatedOutput(this.#visible(plain)) * MIN_PART_COUNTED;
  }

  async #estimate(told: Told | undefined, { model }: Ending, plain?: Buffer): Promise<UsageCount> {
    const count = await this.#sizeUp(told?.usage, model, this.#output(model, plain));
    return told?.model === undefined ? count : { ...count, model: told.model };
  }

  async #sizeUp(told: Usage | undefined, model: CountedModel, said: number | Promise<number>): Promise<UsageCount> {
    const [input, output] = await Promise.all([told?.inputTokens || this.#input(model), said]);
    const usage = { ...told, inputTokens: input, outputTokens: Math.max(told?.outputTokens ?? 0, output) };
    const accuracy = this.#estimator.accuracy?.(model);
    return { usage, isEstimated: true, ...(accuracy !== undefined && { accuracy }) };
  }

  #input(model: CountedModel): number | Promise<number> {
    const { endpoint = '/messages', body, bytes = 0 } = this.#sent ?? {};
    if (body === undefined) return Math.ceil(bytes / BYTES_PER_TOKEN);
    return this.#estimator.input({ ...model, endpoint, body });
  }

  async #output(model: CountedModel, plain: Buffer | undefined): Promise<number> {
    if (this.#form === undefined) return 0;
    // What cannot be unpacked has about as many bytes as tokens.
    if (this.#form.encoding !== '' && plain === undefined) return this.#passed.length;
    const tokens = await this.#estimator.output({ ...model, ...this.#visible(plain) });
    return Math.ceil(tokens / this.#passed.keptPart);
  }

  #visible(plain: Buffer | undefined) {
    const isStream = this.#form?.contentType.startsWith('text/event-stream') === true;
    return { format: this.#format, isStream, bytes: plain ?? this.#passed.bytes() };
  }
}

/** Of an answer that did not show how often the service asked its model. */
function unseen(plan: UsagePlan): UsagePlan {
  return plan.turns === undefined ? plan : withTurns(plan, plan.turns.further);
}

function toldBy(meter: UsageMeter): Told | undefined {
  const usage = meter.end();
  if (usage === undefined) return undefined;
  const { isFinal, isInputEarly, model } = meter;
  return { usage, isPartial: !isFinal || usage.inputTokens === 0, model, isInputEarly };
}
