import { crc32 } from 'node:zlib';
import { parseJson } from '../../formats/json.ts';
import { BoundedMap } from '../../rules/boundedMap.ts';
import type { MeasuredContext } from '../../rules/contextPart.ts';
import { familyOf, type ModelFamily } from '../../tokens/modelFamily.ts';
import { cursorOf, type JsonCursor } from '../http/jsonCursor.ts';
import { type Block, type BlockPart, Blocks, checksum } from './block.ts';
import { type Composition, composed } from './composition.ts';
import { MeasuredConversation } from './measuredConversation.ts';
import { PromptReader } from './promptReader.ts';
import { TextTally } from './textTally.ts';
import { toolBlocks } from './toolBlocks.ts';

export interface MeasureQuestion {
  /** The model that answers, whose rules for images and tools apply. */
  readonly model: string;
  /** Identifies the session and its agent. Only their conversations are compared. */
  readonly lane: string;
  readonly body: Uint8Array;
  /** Identifies the request, so that a later question can say that it was not billed. */
  readonly id?: string;
  /** Measured requests that were not billed, so that what is new in them is new in the request that repeats them. */
  readonly unbilled?: readonly string[];
}

/** The last messages, of which some were read again because the marks of caches have moved. */
const COMPARED_ALONE = 8;

/** Members whose value says that the upstream keeps a part of the conversation. */
const STORED = new Set(['previous_response_id', 'conversation', 'prompt']);
const SCHEMAS = new Set(['response_format', 'text', 'output_config', 'output_format']);

/**
 * Divides requests into parts with estimated tokens. A pure function of the request: what earlier requests of the same
 * conversation have sent is only not read again.
 */
export class ContextMeter {
  readonly #count: (text: string) => number;
  readonly #known = new KnownContexts();

  /** @param count the tokenizer. */
  constructor(count: (text: string) => number) {
    this.#count = count;
  }

  /** @returns undefined if the body has no conversation. */
  measure({ model, lane, body, id, unbilled = [] }: MeasureQuestion): MeasuredContext | undefined {
    for (const each of unbilled) this.#known.withdraw(each);
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const reading = new ContextReading(bytes, familyOf(model), this.#known, new TextTally(this.#count));
    return composed(reading.read(lane, id));
  }
}

class ContextReading {
  readonly #bytes: Buffer;
  readonly #cursor: JsonCursor;
  readonly #family: ModelFamily;
  readonly #known: KnownContexts;
  readonly #tally: TextTally;
  #lane = '';
  #id: string | undefined;
  #tools = new Blocks();
  #system = new Blocks();
  #conversation = new MeasuredConversation();
  readonly #other = new Blocks();
  #isWhole = true;

  constructor(bytes: Buffer, family: ModelFamily, known: KnownContexts, tally: TextTally) {
    this.#bytes = bytes;
    this.#cursor = cursorOf(bytes);
    this.#family = family;
    this.#known = known;
    this.#tally = tally;
  }

  read(lane: string, id: string | undefined): Composition {
    this.#lane = lane;
    this.#id = id;
    this.#cursor.object((name) => this.#member(name));
    return {
      tools: this.#tools,
      system: this.#system,
      conversation: this.#conversation,
      other: this.#other,
      toolPrompt: this.#tools.length > 0 ? this.#family.toolPrompt : 0,
      isWhole: this.#isWhole,
    };
  }

  #member(name: string): void {
    if (name === 'tools' || name === 'functions') {
      this.#tools = this.#list(name, (value) =>
        Array.isArray(value) ? toolBlocks(value, this.#family, this.#tally) : [],
      );
    } else if (name === 'system' || name === 'instructions') {
      this.#system = this.#list(name, (value) => this.#reader().readSystem(value));
    } else if (name === 'messages' || name === 'input') this.#messages();
    else if (STORED.has(name)) this.#isWhole &&= this.#value() === null;
    else if (SCHEMAS.has(name)) this.#schema(name);
  }

  #list(name: string, read: (value: unknown) => readonly Block[]): Blocks {
    const start = this.#cursor.at;
    this.#cursor.skip();
    const range = this.#bytes.subarray(start, this.#cursor.at);
    const key = `${name} ${this.#familyKey} ${crc32(range)} ${range.length}`;
    return this.#known.list(key, () => read(parseJson(range.toString())));
  }

  get #familyKey(): string {
    const { factor, toolsAre } = this.#family;
    return `${factor} ${toolsAre}`;
  }

  #schema(name: string): void {
    const text = JSON.stringify(this.#value()) ?? '';
    if (!text.includes('schema')) return;
    const tokens = this.#tally.tokensOf(text, 'schema') * this.#family.factor;
    this.#other.push({ part: { kind: 'other', name }, tokens, hash: checksum(text) });
  }

  #value(): unknown {
    const start = this.#cursor.at;
    this.#cursor.skip();
    return parseJson(this.#bytes.toString('utf8', start, this.#cursor.at));
  }

  /** Reads a list of messages, of which the beginning is usually known. */
  #messages(): void {
    const cursor = this.#cursor;
    if (cursor.kind !== 'array') {
      this.#conversation.add(this.#reader().read(this.#value()), 0, 0, () => false);
      return;
    }
    let [base, sum, end, key] = [0, 0, 0, ''];
    cursor.array(() => {
      const start = cursor.at;
      cursor.skip();
      if (key === '') {
        [base, end] = [start, start];
        const first = this.#bytes.subarray(start, cursor.at);
        key = `${this.#lane} ${this.#familyKey} ${crc32(first)} ${first.length}`;
        const known = this.#follow(key, base);
        if (known !== undefined) {
          [end, sum] = [base + known.end, known.checksum];
          cursor.at = end;
          return;
        }
      }
      sum = crc32(this.#bytes.subarray(end, cursor.at), sum);
      end = cursor.at;
      const message = parseJson(this.#bytes.toString('utf8', start, end));
      this.#conversation.add(this.#reader().read(message), end - base, sum, (index, text) =>
        this.#contains(base, index, text),
      );
    });
    if (key !== '') this.#known.keep(key, this.#conversation, this.#id);
  }

  /**
   * Continues after the part that was read before.
   * @returns its end and its checksum. Undefined if the conversation is not known.
   */
  #follow(key: string, base: number): { readonly end: number; readonly checksum: number } | undefined {
    const earlier = this.#known.conversation(key);
    if (earlier === undefined) return undefined;
    const count = this.#commonMessages(earlier, base);
    earlier.cut(count);
    this.#conversation = earlier;
    const last = count - 1;
    return count === 0 ? undefined : { end: earlier.ends[last] ?? 0, checksum: earlier.checksums[last] ?? 0 };
  }

  /**
   * Returns the number of messages that have not changed. Usually the last few were read again, so all others are
   * compared at once.
   */
  #commonMessages({ ends, checksums }: MeasuredConversation, base: number): number {
    let count = Math.max(0, ends.length - COMPARED_ALONE);
    let sum = this.#checksum(base, base + (ends[count - 1] ?? 0), 0);
    if (count > 0 && sum !== checksums[count - 1]) [count, sum] = [0, 0];
    for (; count < ends.length; count++) {
      sum = this.#checksum(base + (ends[count - 1] ?? 0), base + (ends[count] ?? 0), sum);
      if (sum !== checksums[count]) break;
    }
    return count;
  }

  #checksum(start: number, end: number, before: number): number {
    return end > this.#bytes.length ? -1 : crc32(this.#bytes.subarray(start, end), before);
  }

  #reader(): PromptReader {
    return new PromptReader({
      family: this.#family,
      tally: this.#tally,
      share: this.#known.share,
      findCall: (id) => this.#conversation.findCall(id),
    });
  }

  #contains(base: number, index: number, text: string): boolean {
    const { ends } = this.#conversation;
    return this.#bytes.subarray(base + (ends[index - 1] ?? 0), base + (ends[index] ?? 0)).includes(text);
  }
}

const MAX_CONVERSATIONS = 1_000;
/** The blocks and messages of all conversations together. Each takes about 50 bytes. */
const MAX_ENTRIES = 350_000;
/** Lists of tools and system prompts, which conversations of the same client share. */
const MAX_LISTS = 500;
const MAX_PARTS = 5_000;

/** The conversations and lists that were measured last, by the checksums of their bytes. */
class KnownContexts {
  /** Least recently used first. */
  readonly #conversations = new Map<string, MeasuredConversation>();
  readonly #sizes = new Map<string, number>();
  readonly #lists = new BoundedMap<string, Blocks>(MAX_LISTS);
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
    this.#lists.set(key, blocks);
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
