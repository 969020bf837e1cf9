import { crc32 } from 'node:zlib';
import type { ContextPart } from '../../rules/contextPart.ts';

/** The 32 bits of the checksum and 21 bits of the length fill the 53 bits of an exact integer. */
const LENGTHS = 2 ** 21;

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly server?: string;
  /** The file or program that the arguments name. */
  readonly target?: string;
  /** Whether the target is a file, so that the same call again returns the same file. */
  readonly readsFile?: true;
  /** A checksum of the tool and its arguments. */
  readonly args: number;
}

/** The part of a block, with the file or command by its name. */
export type BlockPart = Omit<ContextPart, 'file' | 'isRepeated' | 'item'> & {
  readonly fileName?: string;
  /** Whether the model gets the definition only where the conversation refers to it. */
  readonly isDeferred?: true;
};

/** A piece of the prompt that belongs to one part. Contains no text. */
export interface Block {
  readonly part: BlockPart;
  readonly tokens: number;
  readonly hash: number;
  /** For the result of a call that reads a file: a checksum of the call. */
  readonly source?: number | undefined;
}

export interface ReadBlock extends Block {
  readonly call?: ToolCall;
  /** The file or program of a large result. */
  readonly target?: string | undefined;
  /** The text of an answer or a call, to find what it mentions. */
  readonly said?: string;
}

/** Blocks in order. Plain arrays of numbers take a quarter of the memory of objects. */
export class Blocks {
  readonly parts: BlockPart[] = [];
  readonly tokens: number[] = [];
  readonly hashes: number[] = [];
  /** 0 for a block without a source. */
  readonly sources: number[] = [];

  get length(): number {
    return this.parts.length;
  }

  push({ part, tokens, hash, source = 0 }: Block): void {
    this.parts.push(part);
    this.tokens.push(tokens);
    this.hashes.push(hash);
    this.sources.push(source);
  }

  /**
   * Removes the blocks from an index on.
   * @returns their checksums.
   */
  cut(length: number): readonly number[] {
    const removed = this.hashes.slice(length);
    for (const list of [this.parts, this.tokens, this.hashes, this.sources]) list.length = length;
    return removed;
  }
}

export function checksum(text: string): number {
  return crc32(text) * LENGTHS + (text.length % LENGTHS);
}
