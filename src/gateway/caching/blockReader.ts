import { MAX_SESSION_MEMBER_BYTES, type RequestSession, SESSION_MEMBERS } from '../core/requestSession.ts';
import { JsonCursor } from '../http/jsonCursor.ts';
import type { KnownConversations, KnownPart, PrefixTrail, ReadState } from './knownConversations.ts';
import { lastRound } from './lastRound.ts';
import { isMark, Marks, withComma } from './marks.ts';
import {
  type BlockHasher,
  BlockList,
  lengthOf,
  type RequestBlocks,
  roleBytes,
  SETTINGS,
  textPieces,
} from './requestBlocks.ts';

const LEADING_ROLES: ReadonlySet<string> = new Set(['system', 'developer']);
const TOOL_TYPE = /^(?:tool_use|tool_result|server_tool_use|.*_tool_result|.*_call|.*_call_output)$/;
const IMAGE_TYPE = /image/;
/** The maximum for one request: further blocks are not compared. Long conversations of agents have some thousands. */
const MAX_BLOCKS = 20_000;

/** What is remembered from one request to the next. */
export interface ReadingMemory {
  readonly hasher: BlockHasher;
  readonly known: KnownConversations;
}

/**
 * Reads the blocks of a request in any of the three formats. Takes some milliseconds for a megabyte.
 * @param session receives the members of the body that identify the session.
 */
export function readBlocks(
  body: Buffer,
  { hasher, known }: ReadingMemory,
  session?: Pick<RequestSession, 'learn'>,
): RequestBlocks {
  const reader = new BlockReader(body, hasher, known);
  const blocks = reader.read();
  session?.learn?.(reader.sessionMembers);
  return blocks;
}

/** The shortest conversation with a round: a question, a call, and its result. */
const MIN_MESSAGES_OF_ROUND = 3;

type ListName = 'tools' | 'system' | 'messages';

interface PartBounds {
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
  readonly #known: KnownConversations;
  readonly #lists: Record<ListName, BlockList> = {
    tools: new BlockList(),
    system: new BlockList(),
    messages: new BlockList(),
  };
  readonly #settings = new Map<string, number>();
  readonly #toolNames: string[] = [];
  readonly #systemTexts: Buffer[] = [];
  readonly #marks: Marks;
  #isMarkedAsWhole = false;
  #question: string | undefined;
  /** Positions of the messages or items, and the position after the last one. */
  readonly #starts: number[] = [];
  #end = 0;

  constructor(bytes: Buffer, hasher: BlockHasher, known: KnownConversations) {
    this.#cursor = new JsonCursor(bytes);
    this.#marks = new Marks(this.#cursor);
    this.#hasher = hasher;
    this.#known = known;
  }

  read(): RequestBlocks {
    this.#cursor.object((name) => this.#member(name));
    if (this.#isMarkedAsWhole) this.#lists.messages.markLast();
    return {
      ...this.#lists,
      settings: this.#settings,
      maskedSystem: this.#maskedSystem(),
      toolNames: this.#toolNames,
      ...this.#marks.read,
      question: this.#question,
      round: this.#round(),
    };
  }

  #member(name: string): void {
    const cursor = this.#cursor;
    if (name === 'tools') cursor.array(() => this.#tool());
    else if (name === 'system' || name === 'instructions') this.#content('system', name);
    else if (name === 'messages' || name === 'input') this.#conversation();
    else if (isMark(name) || name === 'prompt_cache_options') this.#isMarkedAsWhole = this.#marks.pass();
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
    if (this.#cursor.kind === 'string') {
      this.#content('messages', 'user');
      return;
    }
    let trail: PrefixTrail | undefined;
    let first = 0;
    this.#cursor.array(() => {
      const start = this.#cursor.at;
      this.#starts.push(start);
      this.#message();
      if (trail !== undefined) trail.pass(this.#cursor.at, () => this.#stateSince(first));
      else if (first === 0 && this.#lists.messages.length > 0) {
        first = this.#starts.length;
        trail = this.#known.begin(this.#cursor.bytes, start, this.#cursor.at, this.#marks.read);
        this.#resume(trail?.follow());
      }
      this.#end = this.#cursor.at;
    });
    trail?.close(this.#lists.messages, this.#starts.slice(first));
  }

  /** @param first the number of messages up to the first one of the conversation. */
  #stateSince(first: number): ReadState {
    const { messages } = this.#lists;
    return {
      ...this.#marks.read,
      messages: this.#starts.length - first,
      blocks: messages.length,
      blockBytes: messages.bytes,
      question: this.#question,
    };
  }

  /** Continues after the part of the conversation that was read before. */
  #resume(known: KnownPart | undefined): void {
    if (known === undefined) return;
    this.#lists.messages = known.list;
    this.#starts.push(...known.starts);
    this.#question = known.question;
    this.#marks.resume(known);
    this.#cursor.at = known.end;
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
        if (name !== 'role' && name !== 'type' && !isMark(name)) rest.push(this.#skipped());
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
  #part(onMember: (name: string) => void): PartBounds {
    const cursor = this.#cursor;
    const start = cursor.at;
    let type = '';
    let mark: PartBounds['mark'];
    let memberStart = start + 1;
    cursor.object((name) => {
      if (name === 'type') type = cursor.text() ?? '';
      else if (isMark(name)) {
        if (this.#marks.pass()) mark = [memberStart, cursor.at];
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

  #push(list: ListName, { start, end, type, mark }: PartBounds, role = ''): void {
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
    this.#lists[list].push(this.#hasher.hash(...pieces), lengthOf(pieces), facts);
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
