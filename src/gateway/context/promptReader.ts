import { isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import type { ContextKind } from '../../rules/contextPart.ts';
import type { ModelFamily } from '../../tokens/modelFamily.ts';
import { type BlockPart, checksum, type ReadBlock, type ToolCall } from './block.ts';
import { isSummary, splitInstructions } from './instructions.ts';
import { mediaOf } from './mediaBlocks.ts';
import { callTarget, namedTool } from './partNames.ts';
import type { TextTally } from './textTally.ts';
import { toolBlocks } from './toolBlocks.ts';

/** Tokens that frame a message with its role, and those that frame a call or a result. */
const PER_MESSAGE = 4;
const PER_CALL = 8;
/** Smaller results are added up by tool, so that a long session does not have a part for each. */
const MIN_NAMED_TOKENS = 500;
const MAX_NAME_LENGTH = 100;
/** Encrypted reasoning of 12 KB was billed as about 940 tokens. */
const BYTES_PER_HIDDEN_TOKEN = 13;

const KIND_OF_ROLE: Readonly<Record<string, ContextKind>> = {
  system: 'system',
  developer: 'system',
  assistant: 'answers',
  tool: 'results',
  function: 'results',
};
const RESULT_TYPE = /(?:_result|_output)$/;
const CALL_TYPE = /(?:^tool_use|_tool_use|_call)$/;
/** What a tool of the upstream's own was asked, and what it has answered, in the same item. */
const ASKED = ['input', 'arguments', 'action', 'operation', 'code', 'queries'];
const ANSWERED = ['output', 'outputs', 'results'];
const REASONING_TYPE = /^(?:redacted_)?(?:thinking|reasoning)/;

export interface ReadingRules {
  readonly family: ModelFamily;
  readonly tally: TextTally;
  /** Returns one object for all parts that are the same. */
  readonly share: (part: BlockPart) => BlockPart;
  readonly findCall: (id: string) => ToolCall | undefined;
}

/** Reads the messages of one conversation, in any of the three formats, into blocks. */
export class PromptReader {
  readonly #given: ReadingRules;
  readonly #factor: number;
  #blocks: ReadBlock[] = [];
  /** Tokens of framing that belong to the next block. */
  #framing = 0;

  constructor(given: ReadingRules) {
    this.#given = given;
    this.#factor = given.family.isPublic ? 1 : given.family.factor;
  }

  read(message: unknown): readonly ReadBlock[] {
    this.#blocks = [];
    this.#framing = PER_MESSAGE;
    if (typeof message === 'string') this.#text('messages', message);
    else if (isRecord(message)) this.#message(message);
    return this.#blocks;
  }

  /** Reads a system prompt outside the messages. */
  readSystem(content: unknown): readonly ReadBlock[] {
    return this.read({ role: 'system', content });
  }

  #message(message: JsonRecord): void {
    const { role, content } = message;
    if (typeof role !== 'string' || (message.type !== undefined && message.type !== 'message')) {
      this.#part(message, 'messages');
      if (message.type === 'additional_tools' && Array.isArray(message.tools)) {
        this.#blocks.push(...toolBlocks(message.tools, this.#given.family, this.#given.tally));
      }
      return;
    }
    const kind = KIND_OF_ROLE[role] ?? 'messages';
    const { reasoning_details: details } = message;
    const thought = message.reasoning_content ?? message.reasoning;
    if (typeof thought === 'string') this.#text('reasoning', thought);
    else if (Array.isArray(details)) for (const each of details) if (isRecord(each)) this.#reasoning(each);
    if (kind === 'results') {
      this.#result({ call_id: message.tool_call_id ?? message.name, content });
      return;
    }
    this.#content(content, kind);
    const { tool_calls: calls, function_call: call } = message;
    for (const each of Array.isArray(calls) ? calls : isRecord(call) ? [{ function: call, id: call.name }] : []) {
      if (isRecord(each)) this.#chatCall(each);
    }
  }

  #content(content: unknown, kind: ContextKind): void {
    if (typeof content === 'string') this.#text(kind, content);
    else if (Array.isArray(content)) {
      const isNumbered = kind === 'system' && content.length > 1;
      for (const [index, part] of content.entries()) {
        if (isRecord(part)) this.#part(part, kind, isNumbered ? String(index + 1) : undefined);
      }
    }
  }

  /** Reads a part of a message, or an item of the responses format. */
  #part(part: JsonRecord, kind: ContextKind, name?: string): void {
    const type = String(part.type ?? '');
    if (typeof part.text === 'string' && !REASONING_TYPE.test(type)) this.#text(kind, part.text, name);
    else if (typeof part.refusal === 'string') this.#text(kind, part.refusal);
    else if (REASONING_TYPE.test(type)) this.#reasoning(part);
    else if (type.startsWith('compaction')) this.#other('summaries', part, type);
    else if (RESULT_TYPE.test(type)) this.#result(part);
    else if (CALL_TYPE.test(type)) this.#callOfUpstream(part, type);
    else if (type === 'mcp_list_tools' && Array.isArray(part.tools)) this.#listedTools(part, part.tools);
    else if (type === 'item_reference') this.#push({ kind: 'stored' }, String(part.id));
    else if (!this.#media(part) && type !== 'additional_tools' && type !== '') this.#other('other', part, type);
  }

  #text(kind: ContextKind, text: string, name?: string): void {
    // What frames a message without text, such as one with calls only, belongs to what follows.
    if (text === '') return;
    if (kind === 'answers' || kind === 'reasoning') {
      this.#push({ kind }, text, kind === 'answers' ? { said: text } : {});
      return;
    }
    if (kind === 'messages' && isSummary(text)) {
      this.#push({ kind: 'summaries' }, text);
      return;
    }
    for (const { text: piece, file } of splitInstructions(text)) {
      if (file !== undefined) this.#push({ kind: 'instructions', name: file }, piece);
      else this.#push({ kind, ...(name !== undefined && { name }) }, piece);
    }
  }

  #reasoning(part: JsonRecord): void {
    const summary = Array.isArray(part.summary) ? part.summary : [];
    const texts = [part.thinking, part.text, ...summary.map((each) => (isRecord(each) ? each.text : undefined))];
    const text = texts.filter((each) => typeof each === 'string').join('\n');
    if (text !== '') {
      this.#push({ kind: 'reasoning' }, text);
      return;
    }
    const hidden = [part.encrypted_content, part.data, part.signature].find((each) => typeof each === 'string');
    if (hidden) this.#pushFixed({ kind: 'reasoning' }, Math.ceil(hidden.length / BYTES_PER_HIDDEN_TOKEN), hidden);
  }

  #chatCall({ id, function: called, custom }: JsonRecord): void {
    const given = isRecord(called) ? called : isRecord(custom) ? custom : {};
    this.#call({ id, name: given.name, input: given.arguments ?? given.input }, 'tool_use');
  }

  /** An item may contain both the call and its result. */
  #callOfUpstream(part: JsonRecord, type: string): void {
    this.#call(part, type.replace(/_call$/, ''));
    const answered = memberOf(part, ANSWERED);
    if (Array.isArray(answered) || typeof answered === 'string') this.#result({ id: part.id, output: answered });
    if (typeof part.result === 'string') this.#media({ type: 'input_image', image_url: `data:;base64,${part.result}` });
  }

  #call(part: JsonRecord, type: string): void {
    const { id, call_id: callId, name = type, namespace, server_name: server, server_label: label } = part;
    const written = memberOf(part, ASKED) ?? '';
    const text = typeof written === 'string' ? written : JSON.stringify(written);
    const args = typeof written === 'string' ? parseJson(written) : written;
    const owner = [namespace, server, label].find((each) => typeof each === 'string');
    const named = namedTool(String(name).slice(0, MAX_NAME_LENGTH), owner as string | undefined);
    const target = callTarget(args);
    const call: ToolCall = {
      id: String(callId ?? id ?? ''),
      ...named,
      ...(target !== undefined && { target: target.name }),
      ...(target?.isFile === true && { readsFile: true }),
      args: checksum(`${String(name)} ${text}`),
    };
    const tokens = this.#count(`${String(name)}${text}`, 'calls') + PER_CALL;
    this.#blocks.push({
      part: { kind: 'calls', ...named },
      tokens: tokens + this.#framing,
      hash: call.args,
      call,
      said: text,
    });
    this.#framing = 0;
  }

  #result(part: JsonRecord): void {
    const id = part.tool_use_id ?? part.call_id ?? part.id ?? '';
    const own = this.#blocks.findLast(({ call }) => call !== undefined && call.id === id)?.call;
    const call = own ?? this.#given.findCall(String(id));
    const type = String(part.type ?? '').replace(RESULT_TYPE, '');
    const named = call === undefined ? (type === '' || type === 'tool' ? {} : { name: type }) : toolOf(call);
    const result: BlockPart = { kind: 'results', ...named };
    this.#framing += PER_CALL;
    if (Array.isArray(part.tools)) this.#listedTools(part, part.tools);
    const content = part.content ?? part.output;
    const parts = Array.isArray(content) ? content : [content];
    for (const { tool_name: tool } of parts.flatMap(referencesOf))
      this.#push({ kind: 'tools', name: String(tool) }, '{}');
    const texts = parts
      .filter((each) => referencesOf(each).length === 0)
      .map(textOf)
      .filter((text) => text !== undefined);
    const source = call?.readsFile === true ? call.args : undefined;
    if (texts.length > 0) this.#push(result, texts.join('\n'), { source, target: call?.target });
    for (const each of parts) if (isRecord(each)) this.#media(each);
  }

  #listedTools(part: JsonRecord, tools: readonly unknown[]): void {
    const inserted = { server_label: part.server_label, defer_loading: false };
    const given = tools.map((tool) => (isRecord(tool) ? { ...tool, ...inserted } : tool));
    this.#blocks.push(...toolBlocks(given, this.#given.family, this.#given.tally));
  }

  /** @returns whether the part was an image or a document. */
  #media(part: JsonRecord): boolean {
    const media = mediaOf(part, this.#given.family);
    if (media === undefined) return false;
    if (media.text !== undefined) this.#push({ kind: media.kind }, media.text);
    else if (media.parts !== undefined) this.#content(media.parts, media.kind);
    else this.#pushFixed({ kind: media.kind }, media.tokens, media.identity);
    return true;
  }

  #other(kind: ContextKind, part: JsonRecord, name: string): void {
    this.#push({ kind, name }, textOf(part) ?? JSON.stringify(part));
  }

  /** Adds what is no text. */
  #pushFixed(part: BlockPart, tokens: number, identity: string): void {
    this.#blocks.push({ part: this.#given.share(part), tokens: tokens + this.#framing, hash: checksum(identity) });
    this.#framing = 0;
  }

  #push(part: BlockPart, text: string, facts: Pick<ReadBlock, 'said' | 'source' | 'target'> = {}): void {
    const tokens = this.#count(text, `${part.kind} ${part.name ?? ''}`) + this.#framing;
    if (tokens === 0) return;
    this.#framing = 0;
    const isNamed = facts.target !== undefined && tokens >= MIN_NAMED_TOKENS;
    const named = this.#given.share(isNamed ? { ...part, fileName: facts.target as string } : part);
    this.#blocks.push({ part: named, tokens, hash: checksum(text), ...facts });
  }

  #count(text: string, group: string): number {
    return this.#given.tally.tokensOf(text, group) * this.#factor;
  }
}

function toolOf({ name, server }: ToolCall): { name: string; server?: string } {
  return { name, ...(server !== undefined && { server }) };
}

function memberOf(part: JsonRecord, names: readonly string[]): unknown {
  return names.map((name) => part[name]).find((value) => value !== undefined && value !== null);
}

/** The references to tools whose definitions the upstream inserts in their places. */
function referencesOf(part: unknown): readonly JsonRecord[] {
  if (!isRecord(part)) return [];
  const { tool_references: references } = part;
  return (Array.isArray(references) ? references : [part]).filter(
    (each) => isRecord(each) && each.type === 'tool_reference',
  ) as JsonRecord[];
}

/** The text of a part of a result, or undefined for an image or a document. */
function textOf(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  if (!isRecord(part)) return part === undefined || part === null ? undefined : JSON.stringify(part);
  if (typeof part.text === 'string') return part.text;
  if (typeof part.content === 'string') return part.content;
  const isMedia = /image|document|file|audio|video|screenshot/.test(String(part.type ?? ''));
  return isMedia ? undefined : JSON.stringify(part);
}
