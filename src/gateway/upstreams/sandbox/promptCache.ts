/** The prompt caches of the sandbox's models, by the rules that the vendors of each format document. */

import { createHash } from 'node:crypto';
import type { CacheHint, ChatRequest, FormatName } from '../../../formats/conversation.ts';
import type { Usage } from '../../../formats/usage.ts';
import { BoundedMap } from '../../../rules/boundedMap.ts';

const MINIMUM_TOKENS = 1024;
const MINUTE_MS = 60_000;
/** The messages format caches what is marked, and searches this many blocks before a mark for what it knows. */
const LOOKBACK = 20;
const MARKED_MS = 5 * MINUTE_MS;
const LONG_MARKED_MS = 60 * MINUTE_MS;
/** The other formats cache every long prompt, in steps of this many tokens. */
const AUTOMATIC_MS = 10 * MINUTE_MS;
const STEP_TOKENS = 128;
/** The number of prefixes that are remembered. */
const MAX_PREFIXES = 20_000;

export type CacheTokens = Pick<Usage, 'cachedInputTokens' | 'cacheWriteTokens' | 'longCacheWriteTokens'>;

export interface CachedPrompt {
  readonly request: ChatRequest;
  readonly format: FormatName;
  /** Caches are not shared by keys. */
  readonly localKeyId: string;
  readonly inputTokens: number;
}

/** A block of a prompt, with everything before it. */
interface Prefix {
  readonly hash: string;
  /** Tokens of the whole prefix. */
  readonly tokens: number;
  readonly hint: CacheHint | undefined;
}

export class PromptCache {
  /** Least recently used first. */
  readonly #kept = new BoundedMap<string, { expiresAt: number; readonly lifetimeMs: number }>(MAX_PREFIXES);

  /**
   * Returns what a request reads from the cache and writes to it. Reading renews the lifetime.
   * @param now milliseconds since the epoch.
   */
  use(prompt: CachedPrompt, now: number): CacheTokens {
    if (prompt.inputTokens < MINIMUM_TOKENS) return {};
    const prefixes = prefixesOf(prompt);
    return prompt.format === 'messages' ? this.#useMarked(prefixes, now) : this.#useAutomatic(prefixes, now);
  }

  #useMarked(prefixes: readonly Prefix[], now: number): CacheTokens {
    const marks = prefixes.flatMap(({ hint, tokens }, index) =>
      hint !== undefined && tokens >= MINIMUM_TOKENS ? [index] : [],
    );
    const last = marks.at(-1);
    if (last === undefined) return {};
    const read = marks.map((mark) => this.#readBefore(prefixes, mark, now)).reduce((a, b) => Math.max(a, b), 0);
    let [before, long] = [read, 0];
    for (const mark of marks) {
      const prefix = prefixes[mark];
      if (prefix === undefined) continue;
      const isLong = prefix.hint?.ttl === '1h';
      if (isLong) long += Math.max(0, prefix.tokens - before);
      before = Math.max(before, prefix.tokens);
      this.#keep(prefix.hash, isLong ? LONG_MARKED_MS : MARKED_MS, now);
    }
    const usage = { cachedInputTokens: read, cacheWriteTokens: before - read };
    return long > 0 ? { ...usage, longCacheWriteTokens: long } : usage;
  }

  #readBefore(prefixes: readonly Prefix[], mark: number, now: number): number {
    for (let index = mark; index >= Math.max(0, mark - LOOKBACK); index--) {
      const prefix = prefixes[index];
      if (prefix !== undefined && this.#renew(prefix.hash, now)) return prefix.tokens;
    }
    return 0;
  }

  #useAutomatic(prefixes: readonly Prefix[], now: number): CacheTokens {
    const known = prefixes.findLast(({ hash, tokens }) => tokens >= MINIMUM_TOKENS && this.#renew(hash, now));
    for (const { hash, tokens } of prefixes) if (tokens >= MINIMUM_TOKENS) this.#keep(hash, AUTOMATIC_MS, now);
    const read = known === undefined ? 0 : Math.floor(known.tokens / STEP_TOKENS) * STEP_TOKENS;
    return { cachedInputTokens: read };
  }

  /** @returns whether the prefix is kept. */
  #renew(hash: string, now: number): boolean {
    const kept = this.#kept.get(hash);
    if (kept === undefined || kept.expiresAt <= now) return false;
    kept.expiresAt = now + kept.lifetimeMs;
    return true;
  }

  #keep(hash: string, lifetimeMs: number, now: number): void {
    this.#kept.set(hash, { lifetimeMs, expiresAt: now + lifetimeMs });
  }
}

/** The blocks in the order in which caches see them. A prefix has the tokens of its share of the prompt's text. */
function prefixesOf({ request, localKeyId, inputTokens }: CachedPrompt): readonly Prefix[] {
  const { model, system, messages, tools = [] } = request;
  const parts = [
    ...tools,
    ...system,
    ...messages.flatMap(({ role, parts: own }) => own.map((part) => ({ role, part }))),
  ];
  const blocks = parts.map((part) => ({ text: withoutHint(part), hint: hintOf(part) }));
  const length = blocks.reduce((sum, { text }) => sum + text.length, 0);
  const chain = createHash('sha256').update(`${localKeyId}\n${model}\n`);
  let before = 0;
  return blocks.map(({ text, hint }) => {
    before += text.length;
    chain.update(text);
    const tokens = Math.round((inputTokens * before) / Math.max(1, length));
    return { hash: chain.copy().digest('base64'), tokens, hint };
  });
}

function withoutHint(part: object): string {
  return JSON.stringify(part, (name, value: unknown) => (name === 'cacheHint' ? undefined : value));
}

function hintOf(part: object): CacheHint | undefined {
  const marked = ('part' in part ? part.part : part) as { readonly cacheHint?: CacheHint };
  return marked.cacheHint;
}
