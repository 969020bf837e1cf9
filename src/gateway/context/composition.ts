import type { ContextKind, ContextPart, MeasuredContext, MeasuredPart } from '../../rules/contextPart.ts';
import type { BlockPart, Blocks } from './block.ts';
import { LARGE_TOKENS, type MeasuredConversation } from './measuredConversation.ts';

export interface Composition {
  readonly tools: Blocks;
  readonly system: Blocks;
  readonly conversation: MeasuredConversation;
  readonly other: Blocks;
  /** Tokens of the text that a vendor adds if there are tools. */
  readonly toolPrompt: number;
  readonly isWhole: boolean;
}

/** The number of parts by file in one request. Further results are added up by tool. */
const MAX_FILES = 100;
/** Shorter results and instructions are the same by chance, such as "no matches". */
const MIN_REPEATED_TOKENS = 100;
const NO_BLOCKS: ReadonlySet<number> = new Set();

/** Returns undefined for a request without a conversation. */
export function composed({ tools, system, conversation, other, ...rest }: Composition): MeasuredContext | undefined {
  const { blocks } = conversation;
  if (blocks.length + system.length === 0) return undefined;
  const list = new PartList(deferredTokens(tools));
  list.addAll(tools);
  if (rest.toolPrompt > 0) list.add({ kind: 'other', name: 'tool use prompt' }, rest.toolPrompt);
  list.addAll(system);
  // An item of the conversation may be only a reference to what the upstream keeps.
  const reference = blocks.parts.find(({ kind }) => kind === 'stored');
  const isWhole = rest.isWhole && reference === undefined;
  if (!isWhole) list.add(reference ?? { kind: 'stored' }, 0);
  list.addAll(blocks, conversation.unused);
  list.addAll(other);
  for (const call of newCalls(conversation)) list.count(call);
  return { parts: list.parts, order: list.order, isWhole };
}

/** The tokens of definitions that the model does not get before the conversation refers to them, by their names. */
function deferredTokens({ parts, tokens }: Blocks): ReadonlyMap<string | undefined, number> {
  return new Map(parts.flatMap(({ name, isDeferred }, at) => (isDeferred ? [[name, tokens[at] ?? 0]] : [])));
}

/**
 * The calls since the previous request. Without one, those of the last answer: earlier ones were counted before this
 * process knew the conversation.
 */
function newCalls({ blocks: { parts }, newFrom }: MeasuredConversation): readonly BlockPart[] {
  const callsOf = (some: readonly BlockPart[]) => some.filter(({ kind }) => kind === 'calls');
  if (newFrom !== undefined) return callsOf(parts.slice(newFrom));
  const last = parts.findLastIndex(isOfAnswer);
  const before = parts.findLastIndex((part, index) => index < last && !isOfAnswer(part));
  return callsOf(parts.slice(before + 1, last + 1));
}

function isOfAnswer({ kind }: BlockPart): boolean {
  return kind === 'answers' || kind === 'reasoning' || kind === 'calls';
}

type CountedPart = { -readonly [Name in keyof MeasuredPart]: MeasuredPart[Name] };

class PartList {
  readonly parts: CountedPart[] = [];
  readonly order: number[] = [];
  /** The places of ordinary parts by their object, and of others by what they contain. */
  readonly #places = new Map<BlockPart | string, number>();
  /** Checksums of contents and of calls that read files. */
  readonly #seen = new Set<number>();
  readonly #deferred: ReadonlyMap<string | undefined, number>;
  #files = 0;

  /** @param deferred the tokens of definitions that are where the conversation refers to them. */
  constructor(deferred: ReadonlyMap<string | undefined, number>) {
    this.#deferred = deferred;
  }

  addAll({ parts, tokens, hashes, sources }: Blocks, unused = NO_BLOCKS): void {
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at] as BlockPart;
      if (part.isDeferred) continue;
      const size = (part.kind === 'tools' ? this.#deferred.get(part.name) : undefined) ?? tokens[at] ?? 0;
      const isRepeated = canRepeat(part.kind, size) && this.#wasSeen(hashes[at] ?? 0, sources[at] ?? 0);
      const isLarge = part.kind === 'images' || (part.kind === 'results' && size > LARGE_TOKENS);
      if (isLarge || isRepeated)
        this.#addItem(part, size, hashes[at] ?? 0, { isLarge, isRepeated, isUnused: unused.has(at) });
      else this.add(part, size);
    }
  }

  add(part: BlockPart, tokens: number): void {
    if (part.fileName === undefined || this.#hasPlace(part)) {
      this.#push(part, part, tokens);
      return;
    }
    const { fileName: _, ...unnamed } = part;
    this.#push(`${part.kind}\n${part.name}\n${part.server}`, unnamed, tokens);
  }

  /** Adds a call to the definition of its tool, or to the calls if there is none. */
  count({ name, server }: BlockPart): void {
    const of = (kind: ContextKind) =>
      this.parts.find((part) => part.kind === kind && part.name === name && part.server === server);
    const part = of('tools') ?? of('calls');
    if (part !== undefined) part.calls = (part.calls ?? 0) + 1;
  }

  /** Adds a large result or an image, each a part of its own, or what was in the context before. */
  #addItem(
    part: BlockPart,
    tokens: number,
    hash: number,
    { isLarge, isRepeated, isUnused }: Readonly<Record<'isLarge' | 'isRepeated' | 'isUnused', boolean>>,
  ): void {
    const item: Partial<ContextPart> = {
      ...(isLarge && { item: hash.toString(36) }),
      ...(isRepeated && { isRepeated: true as const }),
    };
    const key = `${part.kind}\n${part.name}\n${part.server}\n${part.fileName}\n${item.item}\n${isRepeated}`;
    this.#push(key, { ...part, ...item, ...(isUnused && { isUnused: true as const }) }, tokens);
  }

  #push(key: BlockPart | string, part: MeasuredPart, tokens: number): void {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.parts.push({ ...part }) - 1;
      this.#places.set(key, place);
    }
    const last = this.order.length - 1;
    if (this.order[last - 1] === place) this.order[last] = (this.order[last] ?? 0) + tokens;
    else this.order.push(place, tokens);
  }

  #wasSeen(hash: number, source: number): boolean {
    const wasSeen = this.#seen.has(hash) || (source !== 0 && this.#seen.has(source));
    this.#seen.add(hash);
    if (source !== 0) this.#seen.add(source);
    return wasSeen;
  }

  #hasPlace(part: BlockPart): boolean {
    if (this.#places.has(part)) return true;
    this.#files += 1;
    return this.#files <= MAX_FILES;
  }
}

function canRepeat(kind: ContextKind, tokens: number): boolean {
  return kind === 'images' || ((kind === 'results' || kind === 'instructions') && tokens >= MIN_REPEATED_TOKENS);
}
