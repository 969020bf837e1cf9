import { crc32 } from 'node:zlib';
import { BoundedMap } from '../../rules/boundedMap.ts';
import type { ReadMarks } from './marks.ts';
import type { BlockList } from './requestBlocks.ts';

/** What is known after a message was read. Messages are counted from the second one. */
export interface ReadState extends ReadMarks {
  readonly messages: number;
  readonly blocks: number;
  /** The length of these blocks together. */
  readonly blockBytes: number;
  readonly question: string | undefined;
}

interface ReadPrefix {
  /** Position after its last message, relative to the end of the first message. */
  readonly end: number;
  /** The checksum of all bytes from the end of the first message up to `end`. */
  readonly checksum: number;
  readonly state: ReadState;
}

/** A conversation as it was read the last time. Contains no text. */
interface KnownConversation {
  /** The marks before its second message. */
  readonly marks: ReadMarks;
  /** In order, up to some of its messages. */
  readonly prefixes: readonly ReadPrefix[];
  readonly blocks: BlockList;
  /** Positions of the messages after the first one, relative to its end. */
  readonly starts: readonly number[];
}

/** The part of a conversation that was read before. */
export interface KnownPart extends ReadState {
  /** Position after its last message. */
  readonly end: number;
  /** A copy of the conversation's blocks, including those of the first message. */
  readonly list: BlockList;
  /** Positions of its messages after the first one. */
  readonly starts: readonly number[];
}

/** Shorter requests are read almost as quickly as they are compared. */
const MIN_BYTES = 16 * 1024;
const MAX_CONVERSATIONS = 32;
/** The samples of one conversation, at equal distances. */
const MAX_PREFIXES = 64;
const CLOSING_BRACE = 0x7d;

/**
 * The conversations that were read last, by the checksums of their first messages. An agent sends its whole
 * conversation with each request. Comparing the checksum of what was read before takes a tenth of the time of reading
 * it again.
 */
export class KnownConversations {
  readonly #known = new BoundedMap<number, KnownConversation>(MAX_CONVERSATIONS);

  /**
   * Begins to remember a conversation after its first message was read.
   * @returns undefined if the request is short.
   */
  begin(bytes: Buffer, start: number, end: number, marks: ReadMarks): PrefixTrail | undefined {
    if (bytes.length < MIN_BYTES) return undefined;
    const first = crc32(bytes.subarray(start, end));
    return new PrefixTrail({
      bytes,
      base: end,
      marks,
      earlier: this.#known.get(first),
      keep: (conversation) => this.#known.set(first, conversation),
    });
  }
}

interface TrailFacts {
  readonly bytes: Buffer;
  /** Position after the first message. */
  readonly base: number;
  readonly marks: ReadMarks;
  readonly earlier: KnownConversation | undefined;
  readonly keep: (conversation: KnownConversation) => void;
}

/** The conversation that is being read. */
export class PrefixTrail {
  readonly #facts: TrailFacts;
  readonly #prefixes: ReadPrefix[] = [];
  readonly #distance: number;

  constructor(facts: TrailFacts) {
    this.#facts = facts;
    this.#distance = facts.bytes.length / MAX_PREFIXES;
  }

  /** Returns the longest part that was read before. */
  follow(): KnownPart | undefined {
    const { bytes, base, earlier, marks } = this.#facts;
    if (earlier === undefined || !areSame(earlier.marks, marks)) return undefined;
    for (const prefix of earlier.prefixes) {
      const end = base + prefix.end;
      if (end > bytes.length || this.#checksumAt(end) !== prefix.checksum) break;
      this.#prefixes.push(prefix);
    }
    const longest = this.#prefixes.at(-1);
    if (longest === undefined) return undefined;
    const { end, state } = longest;
    const starts = earlier.starts.slice(0, state.messages).map((start) => base + start);
    return { ...state, end: base + end, list: earlier.blocks.head(state.blocks, state.blockBytes), starts };
  }

  /** Adds a prefix that ends here, unless the previous one is close. */
  pass(end: number, state: () => ReadState): void {
    const { bytes, base } = this.#facts;
    const last = base + (this.#prefixes.at(-1)?.end ?? 0);
    if (end - last < this.#distance || bytes[end - 1] !== CLOSING_BRACE) return;
    this.#prefixes.push({ end: end - base, checksum: this.#checksumAt(end), state: state() });
  }

  /** @param starts positions of the messages after the first one. */
  close(blocks: BlockList, starts: readonly number[]): void {
    const { base, marks, keep } = this.#facts;
    keep({ marks, prefixes: this.#prefixes, blocks, starts: starts.map((start) => start - base) });
  }

  /** Continues the checksum of the last prefix, so that each byte is read once. */
  #checksumAt(end: number): number {
    const last = this.#prefixes.at(-1);
    return crc32(this.#facts.bytes.subarray(this.#facts.base + (last?.end ?? 0), end), last?.checksum ?? 0);
  }
}

function areSame(one: ReadMarks, other: ReadMarks): boolean {
  return one.hasMarks === other.hasMarks && one.lifetime === other.lifetime;
}
