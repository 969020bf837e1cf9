/** The format's `input_tokens` excludes tokens read from or written to the cache; the neutral form includes them. */

import { defined } from '../json.ts';
import { COST_MEMBERS, hasUnlistedPrice, reportedCost, type Usage } from '../usage.ts';
import type { MessagesUsage } from './schema.ts';

/** @returns undefined if there are no counts. */
export function decodeUsage(usage: MessagesUsage | null | undefined): Usage | undefined {
  if (typeof usage?.input_tokens !== 'number' && typeof usage?.output_tokens !== 'number') return undefined;
  return defined({
    ...inputOf(usage),
    hasUnlistedPrice: hasUnlistedPrice({}, usage) || undefined,
    outputTokens: outputOf(usage),
    webSearches: usage.server_tool_use?.web_search_requests || undefined,
    reasoningTokens: usage.output_tokens_details?.thinking_tokens ?? undefined,
    reportedCost: reportedCost(usage),
  });
}

type CountedTokens = Pick<
  MessagesUsage,
  'input_tokens' | 'output_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens' | 'cache_creation'
>;
type InputUsage = Pick<Usage, 'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens' | 'longCacheWriteTokens'>;

/** Returns the input of all calls of the model. The top-level counts omit some of them, but each of them is billed. */
function inputOf(usage: MessagesUsage): Partial<InputUsage> & Pick<InputUsage, 'inputTokens'> {
  const whole = inputOfOne(usage);
  const all = (usage.iterations ?? []).map(inputOfOne);
  const sum = (name: keyof InputUsage) => all.reduce((total, each) => total + (each[name] ?? 0), 0);
  if (sum('inputTokens') <= whole.inputTokens) return whole;
  return {
    inputTokens: sum('inputTokens'),
    ...defined({
      cachedInputTokens: sum('cachedInputTokens') || whole.cachedInputTokens,
      cacheWriteTokens: sum('cacheWriteTokens') || whole.cacheWriteTokens,
      longCacheWriteTokens: sum('longCacheWriteTokens') || whole.longCacheWriteTokens,
    }),
  };
}

function inputOfOne(usage: CountedTokens): Partial<InputUsage> & Pick<InputUsage, 'inputTokens'> {
  const cachedInputTokens = usage.cache_read_input_tokens ?? undefined;
  const lifetimes = usage.cache_creation;
  const long = lifetimes?.ephemeral_1h_input_tokens ?? 0;
  const cacheWriteTokens =
    usage.cache_creation_input_tokens ?? (lifetimes ? long + (lifetimes.ephemeral_5m_input_tokens ?? 0) : undefined);
  return {
    inputTokens: (usage.input_tokens ?? 0) + (cachedInputTokens ?? 0) + (cacheWriteTokens ?? 0),
    ...defined({ cachedInputTokens, cacheWriteTokens, longCacheWriteTokens: long || undefined }),
  };
}

function outputOf({ output_tokens: total, iterations }: MessagesUsage): number {
  const sum = (iterations ?? []).reduce((total, each) => total + (each.output_tokens ?? 0), 0);
  return Math.max(total ?? 0, sum);
}

/** Encodes all counters as numbers, 0 if unknown, because strict clients require them. */
export function encodeUsage(usage: Usage | undefined) {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage ?? {
    inputTokens: 0,
    outputTokens: 0,
  };
  const read = cachedInputTokens ?? 0;
  const written = cacheWriteTokens ?? 0;
  return defined({
    input_tokens: Math.max(0, inputTokens - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: outputTokens,
    output_tokens_details: reasoningTokens === undefined ? undefined : { thinking_tokens: reasoningTokens },
  });
}

/**
 * Merges usage. Counters are totals: a later number replaces an earlier one, and null is ignored. A prompt is never
 * empty, so an input of 0 is ignored: some servers write it where they do not count the input again.
 */
export function mergeUsage(earlier: MessagesUsage, later: MessagesUsage | null | undefined): MessagesUsage {
  const hasInput = later ? inputOfOne(later).inputTokens > 0 : false;
  const known = Object.entries(later ?? {}).filter(
    ([name, value]) => value !== null && value !== undefined && (hasInput || !INPUT.has(name)),
  );
  // An amount that was reported before the answer does not cover it.
  const counted = Object.fromEntries(Object.entries(earlier).filter(([name]) => !COST_MEMBERS.includes(name)));
  return { ...(hasInput ? counted : { ...zeroInput(later), ...counted }), ...Object.fromEntries(known) };
}

const INPUT: ReadonlySet<string> = new Set([
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'cache_creation',
]);

/** Returns input counters for the case that no other input is known. */
function zeroInput(usage: MessagesUsage | null | undefined): MessagesUsage {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([name, value]) => INPUT.has(name) && value !== null));
}
