import { crc32 } from 'node:zlib';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { SESSION_MEMBERS } from '../core/requestSession.ts';
import { shortObject } from '../http/jsonBody.ts';
import type { ReadMarks } from './marks.ts';

/** A request as a cache sees it: its prompt as a sequence of blocks. */
export interface RequestBlocks extends ReadMarks {
  readonly tools: BlockList;
  readonly system: BlockList;
  readonly messages: BlockList;
  /** Hashes of the members that a cache depends on, by their names. */
  readonly settings: ReadonlyMap<string, number>;
  /** A hash of the system prompts without dates, IDs, and numbers. Undefined if there are no system prompts. */
  readonly maskedSystem: number | undefined;
  /** The names of the tools in the order of their blocks. Removed when the request has ended. */
  readonly toolNames: readonly string[];
  /** Identifies the user's last question. Undefined if there is none. */
  readonly question: string | undefined;
  /** A hash of the agent's last calls and their results. Undefined if the conversation does not end with them. */
  readonly round: number | undefined;
}

/** What a comparison needs to know about a block in addition to its hash. */
export interface BlockFacts {
  readonly isImage?: boolean;
  /** Whether the block is a tool call or its result. A run of them is one position in the lookback of a cache. */
  readonly isToolUse?: boolean;
  readonly isMarked?: boolean;
}

const IMAGE = 1;
const TOOL_USE = 2;
const MARKED = 4;

/**
 * The blocks of one part of a request, in order. Contains their hashes and lengths, but no content. Uses plain arrays,
 * because each typed array is a separate allocation, which triggers garbage collection.
 */
export class BlockList {
  readonly #hashes: number[];
  readonly #facts: number[];
  length: number;
  /** The length of all blocks together. */
  bytes: number;
  #isLastMarked = false;

  constructor(hashes: number[] = [], facts: number[] = [], bytes = 0) {
    this.#hashes = hashes;
    this.#facts = facts;
    this.length = hashes.length;
    this.bytes = bytes;
  }

  /**
   * Returns a copy of the first blocks.
   * @param bytes the length of these blocks together.
   */
  head(blocks: number, bytes: number): BlockList {
    return new BlockList(this.#hashes.slice(0, blocks), this.#facts.slice(0, blocks), bytes);
  }

  push(hash: number, bytes: number, { isImage, isToolUse, isMarked }: BlockFacts): void {
    this.#hashes.push(hash);
    this.#facts.push((isImage ? IMAGE : 0) | (isToolUse ? TOOL_USE : 0) | (isMarked ? MARKED : 0));
    this.length += 1;
    this.bytes += bytes;
  }

  /** Marks the last block. A cache mark of the whole request applies to it. */
  markLast(): void {
    this.#isLastMarked = true;
  }

  at(index: number): number | undefined {
    return this.#hashes[index];
  }

  isImage(index: number): boolean {
    return ((this.#facts[index] ?? 0) & IMAGE) !== 0;
  }

  isMarked(index: number): boolean {
    return ((this.#facts[index] ?? 0) & MARKED) !== 0 || (this.#isLastMarked && index === this.length - 1);
  }

  isToolUse(index: number): boolean {
    return ((this.#facts[index] ?? 0) & TOOL_USE) !== 0;
  }

  commonLength(other: BlockList): number {
    const shorter = Math.min(this.length, other.length);
    for (let index = 0; index < shorter; index++) {
      if (this.#hashes[index] !== other.#hashes[index]) return index;
    }
    return shorter;
  }

  equals(other: BlockList): boolean {
    return this.length === other.length && this.commonLength(other) === this.length;
  }
}

/** Maximum number of texts whose masked hash is cached. */
const MAX_REMEMBERED = 500;

/** Longer texts are hashed unmasked, because masking takes several milliseconds per such length. */
const MAX_MASKED_BYTES = 512 * 1024;

/** The 32 bits of the checksum and 21 bits of the length fill the 53 bits of an exact integer. */
const LENGTHS = 2 ** 21;

/** Weekdays, months, dates, IDs, and numbers, which differ from one request to the next. */
const VOLATILE =
  /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|\b[\da-f]{4,}(?:-[\da-f]{4,})+\b|\b(?=[a-f]*\d)[\da-f]{8,}\b|\d+/gi;

/**
 * Identifies blocks by their checksum and length. A checksum takes a quarter of the time of a cryptographic hash. It is
 * sufficient because only blocks at the same position of two requests are compared, and no hash leaves the memory of
 * the process.
 */
export class BlockHasher {
  /** Masked hashes, by the hashes of the unmasked texts. */
  readonly #masked = new Map<number, number>();

  hash(...pieces: readonly Buffer[]): number {
    let [checksum, length] = [0, 0];
    for (const piece of pieces) {
      checksum = crc32(piece, checksum);
      length += piece.length;
    }
    return checksum * LENGTHS + (length % LENGTHS);
  }

  /**
   * Returns the same hash for texts that differ only in dates, IDs, and numbers. Results are cached, because most texts
   * recur.
   */
  maskedHash(text: Buffer): number {
    const plain = this.hash(text);
    const known = this.#masked.get(plain);
    if (known !== undefined) return known;
    if (text.length > MAX_MASKED_BYTES) return plain;
    const masked = this.hash(Buffer.from(text.toString('latin1').replaceAll(VOLATILE, '#'), 'latin1'));
    if (this.#masked.size >= MAX_REMEMBERED) this.#masked.clear();
    this.#masked.set(plain, masked);
    return masked;
  }
}

/** Members of a request, in any format, that cause a cache miss at the upstream when they change. */
export const SETTINGS: ReadonlySet<string> = new Set([
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'speed',
  'service_tier',
  'parallel_tool_calls',
  'text',
  'response_format',
  'reasoning',
  'reasoning_effort',
  'verbosity',
  'prompt_cache_key',
]);

/** Members that are read, except for the conversation. */
const DEPENDED_ON: ReadonlySet<string> = new Set([
  ...SETTINGS,
  ...SESSION_MEMBERS,
  ...['tools', 'system', 'instructions', 'prompt_cache_options', 'cache_control', 'prompt_cache_breakpoint'],
]);

/** The other members of a request that consists of one question. */
const NOTHING_ELSE = {
  tools: new BlockList(),
  system: new BlockList(),
  settings: new Map<string, number>(),
  maskedSystem: undefined,
  toolNames: [],
  hasMarks: false,
  lifetime: undefined,
  round: undefined,
};

/**
 * Returns the blocks of a short request that consists of one text of the user, without going through its bytes. It has
 * neither tools nor a system prompt, so that no cache has a prefix of it, and only a longer conversation can continue it.
 * @returns undefined for any other request.
 */
export function singleQuestion(bytes: Buffer, hasher: BlockHasher): RequestBlocks | undefined {
  const request = shortObject(bytes);
  const message = request && onlyMessage(request);
  if (message?.role !== 'user' || typeof message.content !== 'string') return undefined;
  const quoted = Buffer.from(JSON.stringify(message.content));
  // The hash is of the text as it is written, which may be escaped in another way.
  if (!bytes.includes(quoted)) return undefined;
  const hash = hasher.hash(USER, TEXT_START, quoted, TEXT_END);
  const length = USER.length + TEXT_START.length + quoted.length + TEXT_END.length;
  return { ...NOTHING_ELSE, messages: new BlockList([hash], [0], length), question: `0:${hash}` };
}

/** Returns the only message of a request that has nothing else that a cache or a session depends on. */
function onlyMessage(request: JsonRecord): JsonRecord | undefined {
  for (const name in request) if (DEPENDED_ON.has(name)) return undefined;
  const { messages = request.input } = request;
  const [message, ...others] = Array.isArray(messages) ? messages : [];
  if (!isRecord(message) || others.length > 0) return undefined;
  for (const name in message) if (name !== 'role' && name !== 'content') return undefined;
  return message;
}

const ROLES = new Map(['user', 'assistant', 'tool', 'system', 'developer'].map((role) => [role, Buffer.from(role)]));

const USER = Buffer.from('user');
const TEXT_START = Buffer.from('{"type":"text","text":');
const TEXT_END = Buffer.from('}');

export function roleBytes(role: string): Buffer {
  return ROLES.get(role) ?? Buffer.from(role);
}

export function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

/** Formats a text as a list with one text, because some clients write it as a list when they mark it. */
export function textPieces(role: string, quoted: Buffer): Buffer[] {
  return [roleBytes(role), TEXT_START, quoted, TEXT_END];
}
