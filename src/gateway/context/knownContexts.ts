import { type Block, type BlockPart, Blocks } from './block.ts';
import type { MeasuredConversation } from './measuredConversation.ts';

const MAX_CONVERSATIONS = 1_000;
/** The blocks and messages of all conversations together. Each takes about 50 bytes. */
const MAX_ENTRIES = 350_000;
/** Lists of tools and system prompts, which conversations of the same client share. */
const MAX_LISTS = 500;
const MAX_PARTS = 5_000;

/** The conversations and lists that were measured last, by the checksums of their bytes. */
export class KnownContexts {
  /** Least recently used first. */
  readonly #conversations = new Map<string, MeasuredConversation>();
  readonly #sizes = new Map<string, number>();
  readonly #lists = new Map<string, Blocks>();
  readonly #parts = new Map<string, BlockPart>();
  #entries = 0;

  /** @param key of its first message. */
  conversation(key: string): MeasuredConversation | undefined {
    return this.#conversations.get(key);
  }

  /** @param id of the request that was read last. */
  keep(key: string, conversation: MeasuredConversation, id: string | undefined): void {
    this.#remove(key);
    conversation.requestId = id;
    const size = conversation.blocks.length + conversation.ends.length;
    this.#conversations.set(key, conversation);
    this.#sizes.set(key, size);
    this.#entries += size;
    for (const oldest of this.#conversations.keys()) {
      if (this.#conversations.size <= MAX_CONVERSATIONS && this.#entries <= MAX_ENTRIES) return;
      this.#remove(oldest);
    }
  }

  /** Called if a request was not billed. */
  withdraw(id: string): void {
    for (const conversation of this.#conversations.values()) {
      if (conversation.requestId === id) conversation.isBilled = false;
    }
  }

  /** @param read called if the list is not known. */
  list(key: string, read: () => readonly Block[]): Blocks {
    const blocks = this.#lists.get(key) ?? this.#read(read());
    this.#lists.delete(key);
    this.#lists.set(key, blocks);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > MAX_LISTS && oldest !== undefined) this.#lists.delete(oldest);
    return blocks;
  }

  /** Returns one object for all parts that are the same, which saves memory and time. */
  readonly share = (part: BlockPart): BlockPart => {
    const { kind, name = '', server = '', fileName = '', isDeferred = false } = part;
    const key = `${kind}\n${name}\n${server}\n${fileName}\n${isDeferred}`;
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    if (this.#parts.size >= MAX_PARTS) this.#parts.clear();
    this.#parts.set(key, part);
    return part;
  };

  #read(list: readonly Block[]): Blocks {
    const blocks = new Blocks();
    for (const block of list) blocks.push({ ...block, part: this.share(block.part) });
    return blocks;
  }

  #remove(key: string): void {
    this.#entries -= this.#sizes.get(key) ?? 0;
    this.#sizes.delete(key);
    this.#conversations.delete(key);
  }
}
