import type { FormatName } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import { ShownSearches } from '../../formats/shownSearches.ts';
import { COST_MEMBERS, hasUnlistedPrice, isCount, type Usage } from '../../formats/usage.ts';
import { WordSearch } from '../http/wordSearch.ts';
import { counts, isFinish, lastThatCounts, USAGE_PLACES, type UsagePlace } from './usagePlace.ts';

/** Contained in every event that shows a web search. */
const SEARCH_WORD = new WordSearch('web_search');

/** Contained in the names of the members that {@link missReasonOf} reads. */
const DIAGNOSTICS = 'diagnostics';
/** Names of the members that {@link hasUnlistedPrice} reads. Most answers have none. */
const UNLISTED_NAME = /"(?:service_tier|speed|inference_geo)"/;

/** Names of reasons, such as `tools_changed`. Anything else is not shown. */
const REASON = /^\w{1,64}$/;

/**
 * Returns the upstream's own reason for a missed cache, which services report if a client asks them to compare its
 * request with an earlier one: in the messages format `diagnostics.cache_miss_reason`, in the responses format
 * `prompt_cache_diagnostics.reason`.
 */
function missReasonOf(value: JsonRecord): string | undefined {
  const inner = [value, value.message, value.response].filter(isRecord);
  const named = inner.flatMap(({ diagnostics, prompt_cache_diagnostics: compared }) => [
    isRecord(diagnostics) ? diagnostics.cache_miss_reason : undefined,
    isRecord(compared) ? compared.reason : undefined,
  ]);
  const reasons = named.map((reason) => (isRecord(reason) ? reason.type : reason));
  return reasons.find((reason): reason is string => typeof reason === 'string' && REASON.test(reason));
}

/** Counts of the input, in all formats. */
const INPUTS = ['prompt_tokens', 'input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];

export interface ReportedCount {
  readonly usage: Usage;
  readonly isPartial: boolean;
  readonly model?: string | undefined;
  /** Whether the input was only reported before the answer. */
  readonly isInputEarly?: boolean;
  /** Whether the answer names a tier, speed, or region whose prices are not the catalog's. */
  readonly hasUnlistedPrice?: boolean;
  /** Whether the answer reports how often the service has searched the web. Undefined if it was read elsewhere. */
  readonly reportsSearches?: boolean;
}

/** Collects the usage of one answer from its parts that report usage, in their order. */
export class UsageReader {
  readonly #format: FormatName;
  readonly #place: UsagePlace;
  /** Undefined if the format does not show them. */
  readonly #searches: ShownSearches | undefined;
  /** The model named beside the usage: the requested one, or another one that the service has chosen. */
  model: string | undefined;
  /** Why the upstream's cache missed, according to the upstream itself. */
  upstreamMissReason: string | undefined;
  /** Whether the answer names a tier, speed, or region whose prices are not the catalog's. */
  hasUnlistedPrice = false;
  #counters: JsonRecord | undefined;
  #isFinal = false;
  /** Whether a part of the answer followed the last count. */
  #isOutdated = false;
  /** Whether the last count came with a part of the answer. */
  #isCountedWithOutput = false;
  /** Whether the last count includes the input. */
  #isInputCounted = false;

  constructor(format: FormatName) {
    this.#format = format;
    this.#place = USAGE_PLACES[format];
    const { search } = this.#place;
    if (search !== undefined) this.#searches = new ShownSearches(search);
  }

  get usage(): Usage | undefined {
    return this.#counters && this.#place.decode(this.#counters);
  }

  /** @param isFinal whether the usage covers the whole answer. */
  reported(isFinal = this.isComplete && this.isFinal): ReportedCount | undefined {
    const { usage, model, isInputEarly, hasUnlistedPrice } = this;
    if (usage === undefined) return undefined;
    return {
      usage: usage.webSearches === 0 ? withoutSearches(usage) : usage,
      isPartial: !isFinal || usage.inputTokens === 0,
      model,
      isInputEarly,
      hasUnlistedPrice,
      // The messages format always reports how many there were, unless there were none.
      reportsSearches: this.#format === 'messages' || usage.webSearches !== undefined,
    };
  }

  /** Whether both input and output were reported, and no other models were used. */
  get isComplete(): boolean {
    const counters = this.#counters ?? {};
    const [input, output] = this.#place.counters;
    const { iterations } = counters;
    const hasOthers = iterations !== undefined && usesOtherModels(iterations);
    return typeof counters[input] === 'number' && typeof counters[output] === 'number' && !hasOthers;
  }

  /** Whether the last usage was reported at the end of the answer, and nothing followed. */
  get isFinal(): boolean {
    return this.#isFinal && !this.#isOutdated;
  }

  /** Whether the input was only reported before the last count, so that tools of the service may have added to it. */
  get isInputEarly(): boolean {
    return this.#counters !== undefined && !this.#isInputCounted;
  }

  /** Whether the last usage was reported with the last part of the answer, or after it. */
  get isUpToDate(): boolean {
    return this.#counters !== undefined && !this.#isOutdated;
  }

  /** Whether the last event with counts has the total usage, so that earlier ones can be ignored. */
  get isLastAll(): boolean {
    return this.#place.merge === lastThatCounts;
  }

  /**
   * @param json a complete answer, or the data of an event. Invalid content is ignored.
   * @param isFirst whether it is the first event of a stream.
   * @returns whether it contains counts.
   */
  read(json: string, isFirst = false): boolean {
    const value = parseJson(json);
    if (!isRecord(value)) return false;
    if (json.includes(DIAGNOSTICS)) this.upstreamMissReason ??= missReasonOf(value);
    return this.#read(value, isFirst, UNLISTED_NAME.test(json));
  }

  /** Like {@link read}, for a complete answer that was parsed. */
  readAnswer(answer: JsonRecord): void {
    const { diagnostics, prompt_cache_diagnostics: compared } = answer;
    if (diagnostics !== undefined || compared !== undefined) this.upstreamMissReason ??= missReasonOf(answer);
    this.#read(answer, false, true);
  }

  #read(value: JsonRecord, isFirst: boolean, mayBeUnlisted: boolean): boolean {
    const found = this.#place.find(value, this.#searches?.count ?? 0);
    if (!isRecord(found)) {
      this.#isOutdated ||= this.#place.hasOutput(value);
      return false;
    }
    const counters = this.#add(found);
    this.model ??= modelOf(value);
    if (mayBeUnlisted) this.hasUnlistedPrice ||= hasUnlistedPrice(value, found);
    const isCounted = counts(counters);
    if (isCounted) this.#counted(value, counters, isFirst);
    else this.#isOutdated ||= this.#place.hasOutput(value);
    return isCounted;
  }

  #counted(value: JsonRecord, usage: JsonRecord, isFirst: boolean): void {
    this.#isInputCounted = false;
    for (const name of INPUTS) this.#isInputCounted ||= Number(usage[name]) > 0;
    // In the messages format, an invalid count leaves that of the start, which does not cover the answer.
    this.#isFinal = this.#place.isLast(value) && isCount(usage[this.#place.counters[1]]);
    this.#isCountedWithOutput = this.#place.hasOutput(value);
    this.#isOutdated = isFirst && !this.#isCountedWithOutput && !isFinish(value);
  }

  get shownSearches(): number {
    return this.#searches?.count ?? 0;
  }

  /** Whether these bytes may show web searches. */
  mayShowSearches(events: Buffer): boolean {
    return this.#place.search !== undefined && SEARCH_WORD.isIn(events, () => true);
  }

  /** @param json the data of an event. Must be called before the usage is read that covers it. */
  readSearch(json: string): void {
    const value = parseJson(json);
    if (isRecord(value)) this.#searches?.add(value);
  }

  /** Whether these bytes may contain a part of the answer that the last count does not cover. */
  mayBeOutdatedBy(events: Buffer): boolean {
    if (this.#counters === undefined || this.#isOutdated) return false;
    return this.#place.outdatingWords.some((word) => events.includes(word));
  }

  /** @param json the data of an event after the last count. */
  pass(json: string): void {
    const value = parseJson(json);
    if (isRecord(value)) this.#isOutdated ||= this.#place.hasOutput(value) || (this.#isBetween && isFinish(value));
  }

  /** Whether the last count came alone, so that it is from the middle of the answer if its end follows. */
  get #isBetween(): boolean {
    return !this.#isFinal && !this.#isCountedWithOutput;
  }

  /**
   * @param usage the last usage object in a long answer or event that could not be read otherwise. Its model, and the
   * tier of its prices, are not known.
   */
  count(usage: JsonRecord): void {
    const found = this.#place.find({ usage }, this.shownSearches);
    this.#add(isRecord(found) ? found : usage);
    this.hasUnlistedPrice ||= this.model === undefined;
    this.#isFinal = true;
    this.#isInputCounted = true;
    this.#isOutdated = false;
  }

  #add(usage: JsonRecord): JsonRecord {
    const counters = countersOf(usage);
    this.#counters = this.#counters === undefined ? counters : this.#place.merge(this.#counters, counters);
    return counters;
  }
}

/** Like tokens of rare kinds, searches are only entered if there were some. */
function withoutSearches({ webSearches: _, ...usage }: Usage): Usage {
  return usage;
}

/**
 * Finds the model in an answer, in the first event of the messages format, or in the last event of the responses
 * format.
 */
function modelOf({ model, message, response }: JsonRecord): string | undefined {
  if (typeof model === 'string' && model !== '') return model;
  const inner = isRecord(message) ? message.model : isRecord(response) ? response.model : undefined;
  const name = model ?? inner;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Keeps only valid numbers of tokens, objects of them, and what the upstream reports to have charged. */
function countersOf(usage: JsonRecord): JsonRecord {
  const counters: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(usage)) {
    if (name === '__proto__') continue;
    if (COST_MEMBERS.includes(name)) counters[name] = value;
    else if (isCount(value)) counters[name] = value;
    else if (typeof value === 'string') addCount(counters, name, value);
    else if (isRecord(value)) counters[name] = countsIn(value);
    else if (name === 'iterations' && Array.isArray(value)) {
      counters[name] = value.filter(isRecord).map(({ type, ...each }) => ({ ...countsIn(each), type }));
    }
  }
  return counters;
}

function countsIn(value: JsonRecord): JsonRecord {
  const { cache_creation: lifetimes } = value;
  const counts: Record<string, unknown> = {};
  for (const [name, count] of Object.entries(value)) {
    if (isCount(count)) counts[name] = count;
    else if (typeof count === 'string' && name !== '__proto__') addCount(counts, name, count);
  }
  return isRecord(lifetimes) ? { ...counts, cache_creation: countsIn(lifetimes) } : counts;
}

/** Some servers send numbers as texts. */
function addCount(counts: Record<string, unknown>, name: string, text: string): void {
  const count = /^\d+$/.test(text) ? Number(text) : undefined;
  if (isCount(count)) counts[name] = count;
}

const OTHER_MODELS = /advisor/;

/** Whether tools of the service have used other models, which have other prices. */
function usesOtherModels(iterations: unknown): boolean {
  return Array.isArray(iterations) && iterations.some((each) => isRecord(each) && OTHER_MODELS.test(String(each.type)));
}
