import { MAX_SESSION_MEMBER_BYTES, type RequestSession, SESSION_MEMBERS } from '../core/requestSession.ts';
import { asBuffer } from '../http/asBuffer.ts';
import { JsonCursor } from '../http/jsonCursor.ts';
import type { BlockHasher } from './blockHasher.ts';
import { BlockList } from './blockList.ts';
import { lastRound } from './lastRound.ts';

/** How long a cache keeps what a request has marked. */
export type CacheLifetime = 'minutes' | 'hour' | 'halfHour' | 'halfDay';

/** A request as a cache sees it: its prompt as a sequence of blocks. */
export interface RequestBlocks {
  readonly tools: BlockList;
  readonly system: BlockList;
  readonly messages: BlockList;
  /** Hashes of the members that a cache depends on, by their names. */
  readonly settings: ReadonlyMap<string, number>;
  /** A hash of the system prompts without dates, IDs, and numbers. Undefined if there are no system prompts. */
  readonly maskedSystem: number | undefined;
  /** The names of the tools in the order of their blocks. Removed when the request has ended. */
  readonly toolNames: readonly string[];
  /** Whether the request marks what to cache. */
  readonly hasMarks: boolean;
  /** The lifetime of the marks. Undefined if there are none. */
  readonly lifetime: CacheLifetime | undefined;
  /** Identifies the user's last question. Undefined if there is none. */
  readonly question: string | undefined;
  /** A hash of the agent's last calls and their results. Undefined if the conversation does not end with them. */
  readonly round: number | undefined;
}

/** Members of a request, in any format, that cause a cache miss at the upstream when they change. */
const SETTINGS: ReadonlySet<string> = new Set([
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

const MARKS: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint']);
const LEADING_ROLES: ReadonlySet<string> = new Set(['system', 'developer']);
const TOOL_TYPE = /^(?:tool_use|tool_result|server_tool_use|.*_tool_result|.*_call|.*_call_output)$/;
const IMAGE_TYPE = /image/;
const LIFETIMES: Readonly<Record<string, CacheLifetime>> = {
  '5m': 'minutes',
  '30m': 'halfHour',
  '1h': 'hour',
  '12h': 'halfDay',
};

/** Of one request: what follows is not compared. Long conversations of agents have some thousands. */
const MAX_BLOCKS = 20_000;

/**
 * Reads the blocks of a request in any of the three formats. Takes some milliseconds for a megabyte.
 * @param session receives the members of the body that identify the session.
 */
export function readBlocks(
  body: Uint8Array,
  hasher: BlockHasher,
  session?: Pick<RequestSession, 'learn'>,
): RequestBlocks {
  const reader = new BlockReader(asBuffer(body), hasher);
  const blocks = reader.read();
  session?.learn?.(reader.sessionMembers);
  return blocks;
}

/** The shortest conversation with a round: a question, a call, and its result. */
const MIN_MESSAGES_OF_ROUND = 3;

type ListName = 'tools' | 'system' | 'messages';

interface Part {
  readonly start: number;
  readonly end: number;
  readonly type: string;
  /** The bytes of a mark and of the adjacent comma. */
  readonly mark: readonly [start: number, end: number] | undefined;
}

class BlockReader {
  /** JSON texts, by the names of the members. */
  readonly sessionMembers = new Map<string, string>();
  readonly #cursor: JsonCursor;
  readonly #hasher: BlockHasher;
  readonly #lists: Readonly<Record<ListName, BlockList>> = {
    tools: new BlockList(),
    system: new BlockList(),
    messages: new BlockList(),
  };
  readonly #settings = new Map<string, number>();
  readonly #toolNames: string[] = [];
  readonly #systemTexts: Buffer[] = [];
  #lifetime: CacheLifetime | undefined;
  #hasMarks = false;
  #isMarkedAsWhole = false;
  #question: string | undefined;
  /** Positions of the messages or items, and the position after the last one. */
  readonly #starts: number[] = [];
  #end = 0;

  constructor(bytes: Buffer, hasher: BlockHasher) {
    this.#cursor = new JsonCursor(bytes);
    this.#hasher = hasher;
  }

  read(): RequestBlocks {
    this.#cursor.object((name) => this.#member(name));
    if (this.#isMarkedAsWhole) this.#lists.messages.markLast();
    return {
      ...this.#lists,
      settings: this.#settings,
      maskedSystem: this.#maskedSystem(),
      toolNames: this.#toolNames,
      hasMarks: this.#hasMarks,
      lifetime: this.#lifetime,
      question: this.#question,
      round: this.#round(),
    };
  }

  #member(name: string): void {
    const cursor = this.#cursor;
    if (name === 'tools') cursor.array(() => this.#tool());
    else if (name === 'system' || name === 'instructions') this.#content('system', name);
    else if (name === 'messages' || name === 'input') this.#conversation();
    else if (MARKS.has(name) || name === 'prompt_cache_options') this.#isMarkedAsWhole = this.#mark();
    else if (SETTINGS.has(name) || SESSION_MEMBERS.has(name)) this.#shortMember(name, this.#skipped());
  }

  #shortMember(name: string, value: Buffer): void {
    if (SETTINGS.has(name)) this.#settings.set(name, this.#hasher.hash(value));
    if (SESSION_MEMBERS.has(name) && value.length <= MAX_SESSION_MEMBER_BYTES) {
      this.sessionMembers.set(name, value.toString());
    }
  }

  #tool(): void {
    let toolName = '';
    const part = this.#part((name) => {
      if (name === 'name') toolName = this.#cursor.text() ?? '';
      else if (name === 'function') {
        this.#cursor.object((inner) => {
          if (inner === 'name') toolName = this.#cursor.text() ?? '';
        });
      }
    });
    this.#toolNames.push(toolName || part.type);
    this.#push('tools', part);
  }

  #conversation(): void {
    if (this.#cursor.kind === 'string') this.#content('messages', 'user');
    else {
      this.#cursor.array(() => {
        this.#starts.push(this.#cursor.at);
        this.#message();
        this.#end = this.#cursor.at;
      });
    }
  }

  #round(): number | undefined {
    if (this.#starts.length < MIN_MESSAGES_OF_ROUND) return undefined;
    const round = lastRound(this.#cursor.bytes, this.#starts, this.#end);
    return round === undefined ? undefined : this.#hasher.hash(Buffer.from(round));
  }

  /** Reads a message with the parts of its content as blocks, or an item of the Responses format. */
  #message(): void {
    const { role, hasContent } = this.#peek();
    const isLeading = LEADING_ROLES.has(role) && this.#lists.messages.length === 0;
    const list = isLeading ? 'system' : 'messages';
    const first = this.#lists[list].length;
    const rest: Buffer[] = [];
    let isAnswerToTool = role === 'tool' || role === 'function';
    const part = this.#part((name) => {
      if (name !== 'content' || !hasContent) {
        if (name !== 'role' && name !== 'type' && !MARKS.has(name)) rest.push(this.#skipped());
        return;
      }
      isAnswerToTool = this.#content(list, role) || isAnswerToTool;
    });
    if (rest.length > 0 || this.#lists[list].length === first) {
      const pieces = rest.length > 0 ? rest : [this.#cursor.bytes.subarray(part.start, part.end)];
      this.#pushPieces(list, [roleBytes(role || part.type), ...pieces], {
        isToolUse: rest.length > 0 && role !== 'user' ? true : TOOL_TYPE.test(part.type),
        isMarked: part.mark !== undefined,
      });
    }
    const last = this.#lists[list].length - 1;
    if (role === 'user' && !isAnswerToTool && last >= 0) this.#question = `${last}:${this.#lists[list].at(last)}`;
  }

  /** Determines what a message is before its members are read, because they may be in any order. */
  #peek(): { readonly role: string; readonly hasContent: boolean } {
    const ahead = new JsonCursor(this.#cursor.bytes, this.#cursor.at);
    let role = '';
    let hasContent = false;
    ahead.object((name) => {
      if (name === 'role') role = ahead.text() ?? '';
      else if (name === 'content') hasContent = ahead.kind === 'string' || ahead.kind === 'array';
      if (role !== '' && hasContent) ahead.stop();
    });
    return { role, hasContent };
  }

  /**
   * Reads a text or a list of parts.
   * @returns whether one of them is a tool's result.
   */
  #content(list: 'system' | 'messages', role: string): boolean {
    const cursor = this.#cursor;
    if (cursor.kind === 'string') {
      this.#pushPieces(list, textPieces(role, this.#skipped()), {});
      return false;
    }
    let hasResult = false;
    cursor.array(() => {
      const part = this.#part(() => undefined);
      hasResult ||= part.type.endsWith('tool_result');
      this.#push(list, part, role);
    });
    return hasResult;
  }

  /**
   * Reads an object with its type and its mark.
   * @param onMember for the other members.
   */
  #part(onMember: (name: string) => void): Part {
    const cursor = this.#cursor;
    const start = cursor.at;
    let type = '';
    let mark: Part['mark'];
    let memberStart = start + 1;
    cursor.object((name) => {
      if (name === 'type') type = cursor.text() ?? '';
      else if (MARKS.has(name)) {
        if (this.#mark()) mark = [memberStart, cursor.at];
      } else this.#read(() => onMember(name));
      memberStart = cursor.at;
    });
    return { start, end: cursor.at, type, mark: mark && withComma(cursor.bytes, mark) };
  }

  /** Reads a value, and skips it if `read` did not. */
  #read(read: () => void): void {
    const start = this.#cursor.at;
    read();
    if (this.#cursor.at === start) this.#cursor.skip();
  }

  /** @returns whether the member is a mark. A mark that is null does not count. */
  #mark(): boolean {
    let ttl: string | undefined;
    if (this.#cursor.kind === 'other') {
      this.#cursor.skip();
      return false;
    }
    this.#cursor.object((name) => {
      if (name === 'ttl') ttl = this.#cursor.text();
    });
    this.#hasMarks = true;
    const lifetime = LIFETIMES[ttl ?? '5m'];
    if (this.#lifetime === undefined || this.#lifetime === 'minutes') this.#lifetime = lifetime;
    return true;
  }

  #push(list: ListName, { start, end, type, mark }: Part, role = ''): void {
    const { bytes } = this.#cursor;
    const pieces =
      mark === undefined
        ? [bytes.subarray(start, end)]
        : [bytes.subarray(start, mark[0]), bytes.subarray(mark[1], end)];
    this.#pushPieces(list, role === '' ? pieces : [roleBytes(role), ...pieces], {
      isImage: IMAGE_TYPE.test(type),
      isToolUse: TOOL_TYPE.test(type),
      isMarked: mark !== undefined,
    });
  }

  #pushPieces(list: ListName, pieces: readonly Buffer[], facts: Parameters<BlockList['push']>[2]): void {
    const { tools, system, messages } = this.#lists;
    if (tools.length + system.length + messages.length >= MAX_BLOCKS) {
      this.#cursor.stop();
      return;
    }
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.#lists[list].push(this.#hasher.hash(...pieces), bytes, facts);
    if (list === 'system') this.#systemTexts.push(...pieces);
  }

  #maskedSystem(): number | undefined {
    const texts = this.#systemTexts;
    return texts.length === 0 ? undefined : this.#hasher.maskedHash(Buffer.concat(texts));
  }

  #skipped(): Buffer {
    const start = this.#cursor.at;
    this.#cursor.skip();
    return this.#cursor.bytes.subarray(start, this.#cursor.at);
  }
}

const ROLES = new Map(['user', 'assistant', 'tool', 'system', 'developer'].map((role) => [role, Buffer.from(role)]));

const TEXT_START = Buffer.from('{"type":"text","text":');
const TEXT_END = Buffer.from('}');

function roleBytes(role: string): Buffer {
  return ROLES.get(role) ?? Buffer.from(role);
}

/** Formats a text as a list with one text, because some clients write it as a list when they mark it. */
function textPieces(role: string, quoted: Buffer): Buffer[] {
  return [roleBytes(role), TEXT_START, quoted, TEXT_END];
}

/** Extends the range by the comma before it, or else the one after it. */
function withComma(bytes: Buffer, [start, end]: readonly [number, number]): readonly [number, number] {
  const comma = bytes.indexOf(0x2c, start);
  if (comma !== -1 && comma < end && bytes.subarray(start, comma).toString('latin1').trim() === '') return [start, end];
  const next = /^\s*,/.exec(bytes.subarray(end, end + 16).toString('latin1'));
  return [start, next === null ? end : end + next[0].length];
}
