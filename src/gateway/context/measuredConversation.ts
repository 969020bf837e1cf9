import { Blocks, type ReadBlock, type ToolCall } from './block.ts';

/** A result with more tokens is a part of its own. */
export const LARGE_TOKENS = 2_000;
/** Calls without a result that are remembered. */
const MAX_CALLS = 64;
/** The last messages may be read again, so that calls in them are remembered. */
const REREAD_MESSAGES = 8;
/** Words that name something: with a capital inside, an underscore, a digit, or the ending of a file. */
const SYMBOL = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|\d{3,}/g;
const DISTINCT = /[a-z][A-Z]|_|\d|\.\w/;
const QUOTED = /`([^`\n]{3,80})`/g;
const MIN_LENGTH = 4;
/** Further words of one answer are not looked for. */
const MAX_SYMBOLS = 200;

interface LargeResult {
  /** The index of its block. */
  readonly at: number;
  readonly message: number;
  readonly target: string | undefined;
  /** The index of the block that mentions it. */
  usedAt: number | undefined;
}

/** The blocks of a conversation as read from the latest request. Contains no content. */
export class MeasuredConversation {
  readonly blocks = new Blocks();
  /** The end of each message, relative to the start of the first one. */
  readonly ends: number[] = [];
  /** The checksum of all bytes up to these ends. */
  readonly checksums: number[] = [];
  /** The number of blocks up to these ends. */
  readonly counts: number[] = [];
  #large: LargeResult[] = [];
  /** The latest calls, with the numbers of blocks before them. */
  #calls: { readonly at: number; readonly call: ToolCall; hasResult: boolean }[] = [];
  /** The checksums of blocks that were removed and may be read again. */
  #removed: readonly number[] = [];
  #newFrom: number | undefined;
  requestId: string | undefined;
  /** If the latest request was not billed, what is new in it is new in the next one, too. */
  isBilled = true;

  /** Removes the messages from an index on, which have changed since. */
  cut(messages: number): void {
    const known = this.isBilled ? this.blocks.length : this.newFrom;
    const count = this.counts[messages - 1] ?? 0;
    const removed = this.blocks.cut(count);
    this.#removed = removed.slice(0, Math.max(0, (known ?? 0) - count));
    this.#newFrom = known === undefined ? undefined : Math.min(count, known);
    this.isBilled = true;
    for (const list of [this.ends, this.checksums, this.counts]) list.length = messages;
    this.#large = this.#large.filter(({ at }) => at < count);
    for (const large of this.#large) if ((large.usedAt ?? 0) >= count) large.usedAt = undefined;
    this.#calls = this.#calls.filter(({ at }) => at < count);
  }

  /**
   * Returns the first block that the previous request did not have. Undefined without a previous one. Marks of caches
   * move, so that messages are read again which have not changed.
   */
  get newFrom(): number | undefined {
    if (this.#newFrom === undefined) return undefined;
    const first = this.#newFrom;
    let same = 0;
    while (same < this.#removed.length && this.#removed[same] === this.blocks.hashes[first + same]) same += 1;
    return first + same;
  }

  /** @param find whether a message contains a text. */
  add(read: readonly ReadBlock[], end: number, sum: number, find: (message: number, text: string) => boolean): void {
    for (const block of read) {
      if (block.said !== undefined && this.#large.length > 0) this.#mention(block, block.said, find);
      if (block.part.kind === 'results' && block.tokens > LARGE_TOKENS) {
        const place = { at: this.blocks.length, message: this.ends.length };
        this.#large.push({ ...place, target: block.target, usedAt: undefined });
      }
      if (block.call !== undefined) {
        this.#calls.push({ at: this.blocks.length, call: block.call, hasResult: false });
      }
      this.blocks.push(block);
    }
    this.ends.push(end);
    this.checksums.push(sum);
    this.counts.push(this.blocks.length);
    const reread = this.counts[this.counts.length - 1 - REREAD_MESSAGES] ?? 0;
    this.#calls = this.#calls.filter(({ at, hasResult }) => at >= reread || !hasResult).slice(-MAX_CALLS);
  }

  /** The indexes of large results that no later answer or call has mentioned. */
  get unused(): ReadonlySet<number> {
    return new Set(this.#large.filter(({ usedAt }) => usedAt === undefined).map(({ at }) => at));
  }

  findCall(id: string): ToolCall | undefined {
    const found = this.#calls.findLast(({ call }) => call.id === id);
    if (found !== undefined) found.hasResult = true;
    return found?.call;
  }

  #mention(block: ReadBlock, text: string, find: (message: number, text: string) => boolean): void {
    const open = this.#large.filter(({ usedAt }) => usedAt === undefined);
    if (open.length === 0) return;
    const isCall = block.call !== undefined;
    const said = isCall ? saidByCall(text) : text;
    const symbols = symbolsOf(said, isCall);
    for (const large of open) {
      const isNamed = large.target !== undefined && said.includes(baseName(large.target));
      if (isNamed || symbols.some((symbol) => find(large.message, symbol))) large.usedAt = this.blocks.length;
    }
  }
}

function symbolsOf(text: string, isCall: boolean): readonly string[] {
  const found = new Set<string>();
  for (const [word] of text.matchAll(SYMBOL)) {
    if (word.length >= MIN_LENGTH && (isCall || DISTINCT.test(word))) found.add(word);
    if (found.size >= MAX_SYMBOLS) return [...found];
  }
  // In quotation marks for code, also an ordinary word is a name.
  for (const [, quoted = ''] of text.matchAll(QUOTED)) {
    for (const [word] of quoted.matchAll(SYMBOL)) if (word.length >= MIN_LENGTH) found.add(word);
  }
  return [...found].slice(0, MAX_SYMBOLS);
}

/** The values of a call's arguments without the names of its members, of paths only the last part. */
function saidByCall(args: string): string {
  return args.replaceAll(/"[\w-]+"\s*:/g, ' ').replaceAll(/[\w.~-]*[\\/](?=[\w.-])/g, ' ');
}

function baseName(target: string): string {
  return target.split(/[\\/]/).at(-1) ?? target;
}
