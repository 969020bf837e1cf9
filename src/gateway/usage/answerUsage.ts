import type { OutgoingHttpHeaders } from 'node:http';
import type { FormatName, Usage } from '../../formats/conversation.ts';
import { defined } from '../../formats/defined.ts';
import { withoutReportedCost } from '../../formats/reportedCost.ts';
import { validUsage } from '../../formats/validUsage.ts';
import { withHeaderCost } from '../core/costHeader.ts';
import type { Endpoint } from '../core/endpoint.ts';
import { fallbackModels } from '../core/fallbackModels.ts';
import { PAID_UPSTREAMS, type UsageCount } from '../core/upstream.ts';
import type { BilledFailure } from '../core/upstreamAttempt.ts';
import type { CountedModel, UsageEstimator } from '../core/usageEstimator.ts';
import type { UsagePlan } from '../core/usagePlan.ts';
import { isEventStreamType } from '../http/answerHeaders.ts';
import { asBuffer } from '../http/asBuffer.ts';
import { decompressPart, readsEncoding } from '../http/contentEncoding.ts';
import { isTurnOver, nextTurn, workInTurn } from '../http/turns.ts';
import { WordSearch } from '../http/wordSearch.ts';
import { estimatedOutput, LOCAL_ESTIMATOR } from './localEstimator.ts';
import { PassedAnswer } from './passedAnswer.ts';
import { PlannedUsage } from './plannedUsage.ts';
import { exact, reserved } from './usageCounts.ts';
import { UsageMeter } from './usageMeter.ts';

/** The request sent to an upstream. */
export interface SentRequest {
  readonly endpoint: Endpoint;
  /** Undefined if the body was streamed. */
  readonly body?: Uint8Array | undefined;
  /** Length of the body. */
  readonly bytes: number;
}

/** The form in which an answer reaches the caller. */
export interface AnswerForm {
  readonly status: number;
  readonly contentType: string;
  /** Empty if the answer is not compressed. */
  readonly encoding: string;
  /** Whether the upstream uses the caller's format, so that its bytes pass unchanged. */
  readonly isNative: boolean;
  readonly headers?: OutgoingHttpHeaders;
}

export interface Ending {
  /** Whether an upstream may have processed the request although no answer started. */
  readonly mayBeBilled: boolean;
  readonly model: CountedModel;
}

/** How many bytes of a plain or a compressed answer are kept until its end, in case its usage must be estimated. */
const MAX_KEPT = 512 * 1024;
const MAX_KEPT_COMPRESSED = 4 * 1024 * 1024;
const MAX_DECOMPRESSED = 64 * 1024 * 1024;
/** Reading the text of a shorter answer takes no noticeable time. In bytes. */
const LONG_ANSWER = 16 * 1024;
/** The tokens of longer request bodies are estimated from their length. */
const MAX_KEPT_BODY = 1024 * 1024;
const BYTES_PER_TOKEN = 4;
/** If a limit depends on the usage, reported output below this fraction of the visible output is not believed. */
const MIN_PART_COUNTED = 0.5;
/** Typical number of bytes in a stream's events for one token. */
const STREAM_BYTES_PER_TOKEN = 200;
/** The largest number of bytes in a stream's events for one token, in any format. */
const MAX_BYTES_PER_TOKEN = 400;

interface ReportedCount {
  readonly usage: Usage;
  readonly isPartial: boolean;
  readonly model?: string | undefined;
  /** Whether the input was only reported before the answer. */
  readonly isInputEarly?: boolean;
  /** Whether the answer names a tier, speed, or region whose prices are not the catalog's. */
  readonly hasUnlistedPrice?: boolean;
  /** Whether the answer reports how often the service has searched the web. Undefined if it was read elsewhere. */
  readonly tellsSearches?: boolean;
}

const TOOL_OF_SERVICE = '"server_tool_use"';

const wordSearches = (...words: readonly string[]) => words.map((word) => new WordSearch(word));
/**
 * Members that make a service search the web for an answer that may not show it: a chat completion, or a response that is
 * too long to be held.
 */
const SEARCH_OPTIONS: Readonly<Record<FormatName, readonly WordSearch[]>> = {
  'chat-completions': wordSearches('"web_search_options"', '"search_parameters"'),
  messages: [],
  responses: wordSearches('"web_search'),
};

/**
 * Determines the usage of one answer, from the bytes that pass or from the translation. If the usage is not reported
 * completely, it is estimated from what passed, after the end. With a plan, the whole reservation counts instead,
 * because models can do more than they show.
 */
export class AnswerUsage {
  readonly #format: FormatName;
  readonly #estimator: UsageEstimator;
  readonly #passed = new PassedAnswer();
  /** Reads the bytes of an answer that passes unchanged. */
  #meter: UsageMeter | undefined;
  #reported: UsageCount | undefined;
  #upstreamMissReason: string | undefined;
  /** The number of web searches that a compressed stream has shown. */
  #shownSearches = 0;
  readonly #planned = new PlannedUsage();
  #sent: SentRequest | undefined;
  #form: AnswerForm | undefined;
  #maxKept = MAX_KEPT;
  /** Fallback models of a request that is not kept. */
  #fallbackModels: readonly string[] = [];

  /** @param format the caller's format. */
  constructor(format: FormatName, estimator: UsageEstimator = LOCAL_ESTIMATOR) {
    this.#format = format;
    this.#estimator = estimator;
  }

  get planned(): PlannedUsage {
    return this.#planned;
  }

  get #plan(): UsagePlan | undefined {
    return this.#planned.plan;
  }

  /** Called when a model is asked. */
  sent({ body, ...request }: SentRequest): void {
    const isKept = request.bytes <= MAX_KEPT_BODY;
    this.#sent = { ...request, body: isKept ? body : undefined };
    if (!isKept && body !== undefined) this.passed(body);
  }

  /** Called when a request that is not kept was sent. */
  passed(body: Uint8Array): void {
    this.#fallbackModels = fallbackModels(body);
  }

  start(form: AnswerForm): void {
    this.#form = form;
    if (form.encoding !== '') this.#maxKept = MAX_KEPT_COMPRESSED;
    else if (form.isNative && form.status < 400) this.#meter = new UsageMeter(this.#format, form.contentType);
    // Translated requests have no tools of the service.
    if (form.isNative && form.status < 400 && isEventStreamType(form.contentType)) this.#planned.start(this.#format);
  }

  /** Must be called after the chunk was written to the client. The chunk must not be modified afterwards. */
  add(chunk: Uint8Array | string): void {
    this.#meter?.add(chunk);
    this.#passed.add(chunk, this.#maxKept);
    if (this.#form?.encoding === '') this.#planned.read(chunk);
  }

  /** Sets a usage that was read elsewhere, such as by the translation. */
  report(count: UsageCount): void {
    const usage = validUsage(count.usage);
    const { hasUnlistedPrice = count.usage.hasUnlistedPrice } = count;
    this.#reported = usage && { ...count, usage, ...(hasUnlistedPrice && { hasUnlistedPrice }) };
  }

  /** Called when another upstream is asked: usage reported by the previous one does not belong to its answer. */
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

  /** The upstream's own reason for a cache miss, if it reports one. Known once {@link end} has returned or resolved. */
  get upstreamMissReason(): string | undefined {
    return this.#upstreamMissReason ?? this.#meter?.upstreamMissReason;
  }

  /** Whether the passing bytes were cut off before their last event. */
  get isCut(): boolean {
    return this.#meter?.isCut === true;
  }

  /** Whether the passing bytes are complete, possibly except for the format's last event. */
  get hasAllOutput(): boolean {
    return this.#meter?.hasAllOutput === true;
  }

  /** Whether the passing bytes are complete except for the format's last event. */
  get lacksLastEvent(): boolean {
    return this.#meter?.hasAllOutput === true && !this.#meter.hasLastEvent;
  }

  /** Whether the passing bytes end with an error reported by the upstream. */
  get hasFailed(): boolean {
    return this.#meter?.hasFailed === true;
  }

  /** The usage while the answer is running: the reservation, or a rough estimate. */
  get soFar(): UsageCount | undefined {
    if (this.#sent === undefined) return undefined;
    const reported = this.#reported?.isEstimated === false ? withoutReportedCost(this.#reported.usage) : undefined;
    if (this.#plan !== undefined) return reserved(this.#plan, reported);
    const isStream = isEventStreamType(this.#form?.contentType ?? '');
    const output = Math.ceil(this.#passed.length / (isStream ? STREAM_BYTES_PER_TOKEN : BYTES_PER_TOKEN));
    const input = Math.ceil(this.#sent.bytes / BYTES_PER_TOKEN);
    return { usage: { inputTokens: input, ...reported, outputTokens: output }, isEstimated: true };
  }

  /**
   * Returns the usage of an attempt without an answer.
   * @returns undefined if no model was asked.
   */
  ofAttempt(billed: BilledFailure, model: CountedModel): UsageCount | undefined | Promise<UsageCount> {
    const usage = billed.usage && fromUpstream(validUsage(billed.usage), model);
    if (this.#sent === undefined) return undefined;
    if (usage !== undefined && billed.isWhole) return exact({ usage });
    if (this.#plan !== undefined) return reserved(this.#plan, usage);
    return this.#sizeUp(usage, model, 0).then((count) => this.#withFallbacks(count, { mayBeBilled: true, model }));
  }

  /** Like {@link ofAttempt}, but synchronous, with what is known so far. */
  ofAttemptSoFar({ usage: reported, isWhole }: BilledFailure): UsageCount | undefined {
    const usage = reported && withoutReportedCost(validUsage(reported));
    if (this.#sent === undefined) return undefined;
    if (usage !== undefined && isWhole) return exact({ usage });
    if (this.#plan !== undefined) return reserved(this.#plan, usage);
    const input = Math.ceil(this.#sent.bytes / BYTES_PER_TOKEN);
    return { usage: { inputTokens: input, outputTokens: 0, ...usage }, isEstimated: true };
  }

  /**
   * Called at the end of the answer, once.
   * @returns undefined if nothing was used or no model was asked.
   */
  end(ending: Ending): UsageCount | undefined | Promise<UsageCount | undefined> {
    const count = this.#count(ending);
    if (count instanceof Promise) return count.finally(() => this.#passed.release());
    this.#passed.release();
    return count;
  }

  #count(ending: Ending): UsageCount | undefined | Promise<UsageCount | undefined> {
    const { encoding, isNative, status } = this.#form ?? {};
    if (this.#sent === undefined || (status === undefined ? !ending.mayBeBilled : status >= 400)) return undefined;
    const isPacked = isNative === true && encoding !== undefined && encoding !== '' && readsEncoding(encoding);
    const count = isPacked ? this.#endPacked(encoding, ending) : this.#settle(this.#latest(), ending);
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
    const plain = await decompressPart(this.#passed.bytes(), encoding, MAX_DECOMPRESSED);
    if (plain === undefined) return this.#settle(undefined, ending);
    const meter = new UsageMeter(this.#format, this.#form?.contentType ?? '');
    meter.add(plain);
    this.#planned.read(plain);
    const reported = reportedBy(meter);
    this.#upstreamMissReason = meter.upstreamMissReason;
    this.#shownSearches = meter.shownSearches;
    return this.#settle(reported, ending, plain);
  }

  #latest(): ReportedCount | undefined {
    const { usage, isEstimated = true, isPartial = false, model, hasUnlistedPrice = false } = this.#reported ?? {};
    const isIncomplete = usage === undefined || isEstimated || isPartial || usage.inputTokens === 0;
    // The usage that was removed from the stream may be an early count, and the whole usage in the rest.
    const passed = isIncomplete && this.#meter ? reportedBy(this.#meter) : undefined;
    if (usage === undefined || isEstimated || passed?.isPartial === false) return passed;
    // A usage that was removed from the stream is as incomplete as the rest if the answer was cut off.
    const isCut = this.#meter?.hasAllOutput === false;
    return {
      usage,
      isPartial: isPartial || isCut || usage.inputTokens === 0,
      model: model ?? this.#meter?.model,
      hasUnlistedPrice,
      // Translated requests have no tools of the service.
      ...(this.#meter !== undefined && { tellsSearches: usage.webSearches !== undefined }),
    };
  }

  /** @param plain the decompressed answer. */
  #settle(latest: ReportedCount | undefined, ending: Ending, plain?: Buffer): UsageCount | Promise<UsageCount> {
    const reported = latest && { ...latest, usage: fromUpstream(this.#withHeaderCost(latest.usage), ending.model) };
    const isAll = reported !== undefined && !reported.isPartial && !this.#mayHaveGrown(reported, plain);
    if (this.#plan !== undefined) {
      if (!isAll || this.#isTooLittle(reported.usage, plain))
        return reserved(this.#plan, reported?.usage, reported?.model);
      return this.#asPriced(asPlanned(this.#plan, reported), reported);
    }
    // Only a complete usage is compared with what passed, because all of that must be read.
    if (isAll && !(reported.usage.outputTokens === 0 && this.#isTooLittle(reported.usage, plain)))
      return this.#asPriced(exact(reported), reported);
    const { isEstimated, usage } = this.#reported ?? {};
    if (isEstimated === true && usage !== undefined)
      return { ...this.#reported, usage: withoutReportedCost(usage), isEstimated };
    return this.#estimate(reported, ending, plain);
  }

  #withHeaderCost(usage: Usage): Usage {
    const { headers, contentType = '' } = this.#form ?? {};
    return headers === undefined || isEventStreamType(contentType) ? usage : withHeaderCost(usage, headers);
  }

  /** Marks a count as an estimate if what it costs is not known: an unlisted price, or the fees of unreported searches. */
  #asPriced(count: UsageCount, { hasUnlistedPrice = false, tellsSearches = true }: ReportedCount): UsageCount {
    if (count.usage.reportedCost !== undefined) return count;
    const isUnknown = hasUnlistedPrice || (!tellsSearches && this.#searchesTheWeb());
    return isUnknown ? { ...count, isEstimated: true } : count;
  }

  #searchesTheWeb(): boolean {
    const { body } = this.#sent ?? {};
    return body !== undefined && SEARCH_OPTIONS[this.#format].some((search) => search.isIn(asBuffer(body), () => true));
  }

  /** Whether tools of the service may have added to the input after it was reported. */
  #mayHaveGrown({ isInputEarly = false }: ReportedCount, plain: Buffer | undefined): boolean {
    if (!isInputEarly) return false;
    return this.#plan?.mayGrow === true || (plain ?? this.#passed.bytes()).includes(TOOL_OF_SERVICE);
  }

  #isTooLittle({ outputTokens }: Usage, plain: Buffer | undefined): boolean {
    const length = plain?.length ?? this.#passed.length;
    if (length <= outputTokens * MAX_BYTES_PER_TOKEN) return false;
    return outputTokens < estimatedOutput(this.#visible(plain)) * MIN_PART_COUNTED;
  }

  async #estimate(reported: ReportedCount | undefined, { model }: Ending, plain?: Buffer): Promise<UsageCount> {
    const count = await this.#sizeUp(reported?.usage, model, await this.#outputInTurn(model, plain));
    return reported?.model === undefined ? count : { ...count, model: reported.model };
  }

  async #sizeUp(reported: Usage | undefined, model: CountedModel, said: number | Promise<number>): Promise<UsageCount> {
    const [input, output] = await Promise.all([reported?.inputTokens || this.#input(model), said]);
    const shown = this.#meter?.shownSearches ?? this.#shownSearches;
    const usage = {
      ...withoutReportedCost(reported),
      inputTokens: input,
      outputTokens: Math.max(reported?.outputTokens ?? 0, output),
      ...(shown > 0 && { webSearches: Math.max(reported?.webSearches ?? 0, shown) }),
    };
    const accuracy = this.#estimator.accuracy?.(model);
    return { usage, isEstimated: true, ...(accuracy !== undefined && { accuracy }) };
  }

  #input(model: CountedModel): number | Promise<number> {
    const { endpoint = '/messages', body, bytes = 0 } = this.#sent ?? {};
    if (body === undefined) return Math.ceil(bytes / BYTES_PER_TOKEN);
    return this.#estimator.input({ ...model, endpoint, body });
  }

  /** Hundreds of clients may disconnect at once, so long answers are read in several turns of the event loop. */
  async #outputInTurn(model: CountedModel, plain: Buffer | undefined): Promise<number> {
    if (this.#passed.length >= LONG_ANSWER && isTurnOver()) await nextTurn();
    return workInTurn(() => this.#output(model, plain), undefined);
  }

  async #output(model: CountedModel, plain: Buffer | undefined): Promise<number> {
    if (this.#form === undefined) return 0;
    // If an answer cannot be decompressed, its number of tokens is about its number of bytes.
    if (this.#form.encoding !== '' && plain === undefined) return this.#passed.length;
    const tokens = await this.#estimator.output({ ...model, ...this.#visible(plain) });
    return Math.ceil(tokens / this.#passed.keptPart);
  }

  #visible(plain: Buffer | undefined) {
    const isStream = isEventStreamType(this.#form?.contentType ?? '');
    return { format: this.#format, isStream, bytes: plain ?? this.#passed.bytes() };
  }
}

/**
 * What a complete usage leaves open counts as planned: the model that answered, the number of web searches, and how much
 * of the output was reasoning, if its price is higher.
 */
function asPlanned(plan: UsagePlan, { usage, model, tellsSearches }: ReportedCount): UsageCount {
  // A reported amount includes all of it.
  if (usage.reportedCost !== undefined) return exact({ usage, model });
  const { parts = {} } = plan;
  const webSearches = tellsSearches === false ? parts.webSearches : undefined;
  const pricedModel = model === undefined ? plan.pricedModel : undefined;
  const isReasoningOpen = parts.reasoningTokens !== undefined && usage.reasoningTokens === undefined;
  const reasoningTokens = isReasoningOpen ? usage.outputTokens : undefined;
  if ([webSearches, pricedModel, reasoningTokens].every((open) => open === undefined)) return exact({ usage, model });
  return {
    usage: { ...usage, ...defined({ webSearches, reasoningTokens }) },
    isEstimated: true,
    ...defined({ model: model ?? pricedModel }),
  };
}

/** The bill of the service follows from its prices, whatever its answers contain. */
function fromUpstream<Reported extends Usage | undefined>(
  usage: Reported,
  { upstream }: CountedModel,
): Usage | Reported {
  return PAID_UPSTREAMS.has(upstream) ? withoutReportedCost(usage) : usage;
}

function reportedBy(meter: UsageMeter): ReportedCount | undefined {
  const usage = meter.end();
  if (usage === undefined) return undefined;
  const { isFinal, isInputEarly, hasUnlistedPrice, model, format } = meter;
  return {
    usage: withoutNone(usage),
    isPartial: !isFinal || usage.inputTokens === 0,
    model,
    isInputEarly,
    hasUnlistedPrice,
    // The messages format always reports how many there were, unless there were none.
    tellsSearches: format === 'messages' || usage.webSearches !== undefined,
  };
}

/** Like tokens of rare kinds, searches are only entered if there were some. */
function withoutNone({ webSearches, ...usage }: Usage): Usage {
  return { ...usage, ...defined({ webSearches: webSearches || undefined }) };
}
