/**
 * The prompt cache of a messages service, by the vendor's documented rules: marks, lookback, minimum, lifetime, prices.
 */
import { hash } from 'node:crypto';

/** US dollars per 1M tokens. */
const CACHE_PRICES = { input: 3, write: 3.75, read: 0.3 } as const;
const MINIMUM_TOKENS = 1024;
const LIFETIME_MS = 5 * 60_000;
const LOOKBACK = 20;
const MAX_MARKS = 4;
const BYTES_PER_TOKEN = 4;

type Json = Readonly<Record<string, unknown>>;

/** A block of a prompt, with everything before it. */
interface Prefix {
  readonly hash: string;
  /** Tokens of the whole prefix. */
  readonly tokens: number;
  readonly isMarked: boolean;
  readonly isToolUse: boolean;
}

export interface CacheUsage {
  readonly read: number;
  readonly written: number;
  readonly uncached: number;
}

export class PrefixCache {
  /** When each prefix was last used. */
  readonly #usedAt = new Map<string, number>();

  /**
   * @param at when the request starts, in milliseconds.
   * @throws {Error} if the service would reject the marks.
   */
  answer(body: Json, at: number): CacheUsage {
    const prefixes = prefixesOf(body);
    const marks = prefixes.flatMap(({ isMarked }, index) => (isMarked ? [index] : []));
    if (marks.length > MAX_MARKS) throw new Error('cache_control: at most four blocks can be marked.');
    const hit = marks.map((mark) => this.#hitBefore(prefixes, mark, at)).findLast((found) => found !== undefined);
    if (hit !== undefined) this.#usedAt.set(hit.hash, at);
    const stored = marks.flatMap((mark) => prefixes[mark] ?? []).filter(({ tokens }) => tokens >= MINIMUM_TOKENS);
    for (const each of stored) this.#usedAt.set(each.hash, at);
    const total = prefixes.at(-1)?.tokens ?? 0;
    const read = hit?.tokens ?? 0;
    const written = Math.max(0, (stored.at(-1)?.tokens ?? 0) - read);
    return { read, written, uncached: total - read - written };
  }

  #hitBefore(prefixes: readonly Prefix[], mark: number, at: number): Prefix | undefined {
    let positions = 0;
    for (let index = mark; index >= 0 && positions <= LOOKBACK; index--) {
      const prefix = prefixes[index];
      const usedAt = prefix && this.#usedAt.get(prefix.hash);
      if (usedAt !== undefined && at - usedAt <= LIFETIME_MS) return prefix;
      if (!(prefix?.isToolUse && prefixes[index - 1]?.isToolUse)) positions += 1;
    }
    return undefined;
  }
}

/** Returns US dollars. */
export function costOf({ read, written, uncached }: CacheUsage): number {
  return (read * CACHE_PRICES.read + written * CACHE_PRICES.write + uncached * CACHE_PRICES.input) / 1e6;
}

/**
 * Returns the lowest possible cost of requests by these rules: each reads the longest prefix that an earlier one has
 * sent within the lifetime, and only what a later one reads is written.
 */
export function leastCost(requests: readonly { readonly body: Json; readonly at: number }[]): number {
  const all = requests.map(({ body, at }) => ({ prefixes: prefixesOf(body), at }));
  const common = (one: readonly Prefix[], other: readonly Prefix[]) => {
    const last = one.findLast((prefix, index) => prefix.hash === other[index]?.hash);
    return last !== undefined && last.tokens >= MINIMUM_TOKENS ? last.tokens : 0;
  };
  return all.reduce((sum, { prefixes, at }, index) => {
    const others = (from: number, to?: number) =>
      all
        .slice(from, to)
        .filter((other) => Math.abs(other.at - at) <= LIFETIME_MS)
        .map((other) => common(prefixes, other.prefixes));
    const total = prefixes.at(-1)?.tokens ?? 0;
    const read = Math.max(0, ...others(0, index));
    const written = Math.max(0, Math.max(0, ...others(index + 1)) - read);
    return sum + costOf({ read, written, uncached: total - read - written });
  }, 0);
}

function prefixesOf({ model, tools = [], system = [], messages = [], cache_control: whole }: Json): Prefix[] {
  const blocks = [
    ...(tools as Json[]),
    ...contentOf(system),
    ...(messages as Json[]).flatMap(({ role, content }) => contentOf(content).map((block) => ({ ...block, role }))),
  ];
  let prefix = hash('sha1', String(model));
  let bytes = 0;
  return blocks.map(({ cache_control: mark, ...block }: Json, index) => {
    const written = JSON.stringify(block);
    prefix = hash('sha1', prefix + written);
    bytes += Buffer.byteLength(written);
    return {
      hash: prefix,
      tokens: Math.ceil(bytes / BYTES_PER_TOKEN),
      isMarked: mark !== undefined || (whole !== undefined && index === blocks.length - 1),
      isToolUse: block.type === 'tool_use' || block.type === 'tool_result',
    };
  });
}

function contentOf(content: unknown): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Json[]);
}
