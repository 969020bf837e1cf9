/** The maximum usage of a request, which its budget must cover. */

import { isRecord, type JsonRecord } from '../../formats/json.ts';
import type { Usage } from '../../formats/usage.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { costInBillionths } from '../../ledger/cost.ts';
import type { FlatPrices } from '../../service/modelPrices.ts';
import { pricesUpTo } from '../../tokens/price.ts';
import type { UsageParts } from '../core/usagePlan.ts';
import type { Listing } from '../prices/priceBook.ts';
import { type AskedRequest, askedAnswers, askedOutputTokens } from './askedRequest.ts';
import type { PlannedRequest } from './budgets.ts';
import { maxInput, mayGrow, textUntilSearch } from './inputEstimate.ts';
import { isCount, maxTurns, withCallLimit } from './modelTurns.ts';

/** For an answer whose maximum length neither the request nor the catalog limits, in tokens. */
const DEFAULT_MAX_OUTPUT = 32_000;

/**
 * No model reads or writes more for one request, in tokens. A limit of a request beyond it would make its cost too large
 * to count, and nothing would be reserved.
 */
const MAX_PLANNED = 1_000_000_000;

/** Web searches by a tool of the service, if the request does not limit their number. */
const DEFAULT_SEARCHES = 10;
const MAX_SEARCHES = 10_000;

/**
 * Turns reserved at the start of a stream that shows its calls: the first, and one that may begin before its tool call
 * has passed through here.
 */
const SHOWN_TURNS = 2;

const TURNS_ADVICE =
  'request fewer output tokens, or limit how often its tools make the service call the model again ("max_uses" of a tool, "max_tool_calls")';

export interface PlannedOffers {
  /** The listings of the requested model and its fallbacks at the upstreams that may be asked. */
  readonly listings: readonly (Listing | undefined)[];
  /** The names of those models, if the request has fallbacks. */
  readonly models?: readonly string[];
  /** Whether one of these upstreams itself marks what its cache is to keep. */
  readonly marksCache: boolean;
  /**
   * Whether all turns are reserved at the start if their number is limited. A service may continue with them after its
   * client has disconnected, and a budget must cover that.
   */
  readonly reservesAll: boolean;
  /** The limit of tool calls that the gateway will add to the request, which has none. */
  readonly addedLimit?: number | undefined;
  /** How fast the models of each upstream write at most, in tokens per second, where its operator has set it. */
  readonly maxSpeeds?: ReadonlyMap<string, number>;
}

const NO_SPEEDS: ReadonlyMap<string, number> = new Map();

/**
 * Plans with the most expensive of the upstreams that may be asked, because a failure of one sends the request to the
 * next.
 * @param bytes length of the body.
 */
export function planRequest(
  original: AskedRequest,
  bytes: number,
  format: WireFormat,
  { listings, models, marksCache, reservesAll, addedLimit, maxSpeeds = NO_SPEEDS }: PlannedOffers,
): PlannedRequest {
  const asked = addedLimit === undefined ? original : withCallLimit(original, addedLimit);
  const passes = compacts(asked) ? 2 : 1;
  const { tokens: ofOneTurn, text } = maxInput(asked, bytes, format, largest(listings, 'contextWindow'));
  const { max: all, isLimited } = maxTurns(asked, format.name);
  const isShown = asked.body.stream === true && format.name !== 'chat-completions';
  const isFollowed = isShown && !(reservesAll && isLimited);
  const first = isFollowed ? Math.min(all, SHOWN_TURNS) : all;
  const inputTokens = Math.min(MAX_PLANNED, (passes + first - 1) * ofOneTurn);
  const searched = isShown && passes === 1 ? textUntilSearch(asked, format) : undefined;
  const longest = largest(listings, 'maxOutputTokens');
  const allowed = askedOutputTokens(asked, format.name) ?? longest ?? DEFAULT_MAX_OUTPUT;
  const one = Math.min(allowed, longest ?? Number.POSITIVE_INFINITY);
  const answers = askedAnswers(asked, format.name);
  const maxOutputTokens = Math.min(MAX_PLANNED, Math.ceil(passes * one * answers));
  const kinds = possibleParts(asked, { inputTokens, outputTokens: maxOutputTokens }, { listings, marksCache });
  const { parts, prices, listing } = mostExpensive(listings, { inputTokens, outputTokens: maxOutputTokens }, kinds);
  const areKnown = asked.fallbacks.length === 0 || listings.every((listing) => listing?.outputPrice !== undefined);
  const pricedModel = listing && models?.[listings.indexOf(listing)];
  return {
    ...{ model: asked.model ?? '', inputTokens, maxOutputTokens, parts },
    ...(areKnown && prices && { prices }),
    ...(pricedModel !== undefined && { pricedModel }),
    ...(text !== undefined && passes === 1 && all === 1 && { text }),
    ...(searched !== undefined && { textUntilSearch: searched }),
    ...(answers > 1 && { answers }),
    ...((listings.every(cannotReason) || forbidsReasoning(asked.body)) && { showsAll: true }),
    ...(maxSpeeds.size > 0 && { maxSpeeds }),
    ...(mayGrow(asked) && { mayGrow: true }),
    ...((all > first || (isShown && addedLimit !== undefined)) && {
      turns: { inputTokens: ofOneTurn, ...(addedLimit !== undefined && { addedLimit }) },
    }),
    ...(all > 1 && { advice: TURNS_ADVICE }),
  };
}

function cannotReason(listing: Listing | undefined): boolean {
  return listing?.reasoning === false;
}

/** Whether a request turns reasoning off, which some models do unless they are asked to. */
function forbidsReasoning({ reasoning, reasoning_effort: effort, thinking }: JsonRecord): boolean {
  const isOff = isRecord(reasoning) && (reasoning.effort === 'none' || reasoning.enabled === false);
  return effort === 'none' || isOff || (isRecord(thinking) && thinking.type === 'disabled');
}

/** Whether the service may first summarize the conversation, which has a prompt and an answer of its own. */
function compacts({ body: { context_management: edits } }: AskedRequest): boolean {
  return edits !== undefined && /"type":"compact/.test(JSON.stringify(edits));
}

/** @returns undefined if one of the listings does not state the limit. */
function largest(
  listings: readonly (Listing | undefined)[],
  limit: 'contextWindow' | 'maxOutputTokens',
): number | undefined {
  const limits = listings.map((listing) => listing?.[limit]).filter((each) => each !== undefined);
  return limits.length === 0 || limits.length < listings.length ? undefined : Math.max(...limits);
}

/** Names and types that show which kinds of tokens a request may use. */
const AUDIO: ReadonlySet<string> = new Set(['audio', 'input_audio']);
const IMAGE: ReadonlySet<string> = new Set(['image', 'image_url', 'input_image']);
const WEB_SEARCH = /^(?:web_search\w*|search_parameters|plugins)$/;
const MAX_NAME_LENGTH = 64;

interface Kinds {
  hasAudio: boolean;
  hasImage: boolean;
  hasSearch: boolean;
  /** Whether something is marked for the cache, and whether for longer than five minutes. */
  isMarked: boolean;
  isMarkedLong: boolean;
}

/** Visits all names and short texts once, without serializing a body that may have 32 MB. */
function kindsIn(body: JsonRecord): Kinds {
  const kinds: Kinds = { hasAudio: false, hasImage: false, hasSearch: false, isMarked: false, isMarkedLong: false };
  const waiting: unknown[] = [body];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') note(kinds, value);
    else if (Array.isArray(value)) for (const each of value) waiting.push(each);
    else if (isRecord(value)) {
      for (const name of Object.keys(value)) {
        note(kinds, name);
        waiting.push(value[name]);
      }
      kinds.isMarkedLong ||= typeof value.ttl === 'string' && !value.ttl.startsWith('5m');
    }
  }
  return kinds;
}

function note(kinds: Kinds, text: string): void {
  if (text.length > MAX_NAME_LENGTH) return;
  kinds.hasAudio ||= AUDIO.has(text);
  kinds.hasImage ||= IMAGE.has(text);
  kinds.hasSearch ||= WEB_SEARCH.test(text);
  kinds.isMarked ||= text === 'cache_control';
}

/** The kinds that the tokens may be of, each as if all tokens were of that kind. The usual kind comes first. */
function possibleParts(
  asked: AskedRequest,
  { inputTokens, outputTokens }: Usage,
  { listings, marksCache }: Pick<PlannedOffers, 'listings' | 'marksCache'>,
): readonly UsageParts[] {
  const { hasAudio, hasImage, hasSearch, isMarked, isMarkedLong } = kindsIn(asked.body);
  const has = (price: keyof Listing) => listings.some((listing) => listing?.[price] !== undefined);
  const isWritten = marksCache || isMarked || has('cacheWritePrice');
  const searches = hasSearch && has('webSearchPrice') ? { webSearches: maxSearches(asked) } : {};
  const inputs: UsageParts[] = [
    cacheWrites(isMarkedLong, isWritten, inputTokens),
    ...(hasAudio && has('audioInputPrice') ? [{ audioInputTokens: inputTokens }] : []),
    ...(hasImage && has('imageInputPrice') ? [{ imageInputTokens: inputTokens }] : []),
  ];
  const outputs: UsageParts[] = [
    {},
    ...(hasAudio && has('audioOutputPrice') ? [{ audioOutputTokens: outputTokens }] : []),
    ...(has('imageOutputPrice') ? [{ imageOutputTokens: outputTokens }] : []),
    ...(has('reasoningPrice') ? [{ reasoningTokens: outputTokens }] : []),
  ];
  return inputs.flatMap((input) => outputs.map((output) => ({ ...input, ...output, ...searches })));
}

/** The whole prompt, if the request or an upstream marks what to cache. */
function cacheWrites(isWrittenLong: boolean, isWritten: boolean, inputTokens: number): UsageParts {
  if (isWrittenLong) return { cacheWriteTokens: inputTokens, longCacheWriteTokens: inputTokens };
  return isWritten ? { cacheWriteTokens: inputTokens } : {};
}

function maxSearches({ body: { tools, max_tool_calls: calls } }: AskedRequest): number {
  const all: readonly unknown[] = Array.isArray(tools) ? tools : [];
  const searching = all
    .filter(isRecord)
    .filter(({ type }) => typeof type === 'string' && type.startsWith('web_search'));
  const unlimited = isCount(calls) ? calls : DEFAULT_SEARCHES;
  const limits = searching.map(({ max_uses }) => (isCount(max_uses) ? max_uses : unlimited));
  const most = limits.length === 0 ? DEFAULT_SEARCHES : limits.reduce((sum, limit) => sum + limit, 0);
  return Math.min(MAX_SEARCHES, most);
}

/** The most expensive combination of kinds, listings, and their prices for prompts up to this length. */
function mostExpensive(
  listings: readonly (Listing | undefined)[],
  usage: Usage,
  kinds: readonly UsageParts[],
): { readonly parts: UsageParts; readonly prices?: FlatPrices; readonly listing?: Listing } {
  const all = listings
    .filter((listing) => listing !== undefined)
    .flatMap((listing) => pricesUpTo(usage.inputTokens, listing).map((prices) => ({ listing, prices })))
    .flatMap((priced) =>
      kinds.map((parts) => ({ ...priced, parts, cost: costInBillionths({ ...usage, ...parts }, priced.prices) })),
    );
  const [first] = all.toSorted((a, b) => (b.cost ?? -1) - (a.cost ?? -1));
  return first ?? { parts: kinds[0] ?? {} };
}
