/** Measures a whole request: how much of it is text, and how much is counted by other rules. */
import type { ChatRequest, DocumentPart, ImagePart, Message, TextPart, Tool } from '../formats/conversation.ts';
import type { ImageRule } from './imageTokens.ts';
import { toolAsJson, toolsAsTypes } from './toolText.ts';

/** Tokens that frame a conversation, and those that frame each message with its role. */
const PER_REQUEST = 3;
const PER_MESSAGE = 4;
/** Tokens that frame a tool call, a result, or a definition, and those that frame all definitions shown as types. */
const PER_TOOL = 8;
const PER_NAMESPACE = 9;

/** A binary document: one token per 20 bytes, at least a short page. */
const BYTES_PER_DOCUMENT_TOKEN = 20;
const MIN_DOCUMENT_TOKENS = 500;
/** A document that is given by a URL or a file ID. */
const UNKNOWN_DOCUMENT = 2000;

export interface PromptRules {
  /** Counts the whole tokens of a text. */
  readonly countText: (text: string) => number;
  readonly countImage: ImageRule;
  readonly toolsAre: 'json' | 'types';
  /** Tokens of the vendor's tool prompt, which is present if there are tools. */
  readonly toolPrompt: number;
}

/** The kinds of parts that a whole request has, by the names of the ledger's context. */
export type PromptKind =
  | 'tools'
  | 'system'
  | 'messages'
  | 'answers'
  | 'reasoning'
  | 'calls'
  | 'results'
  | 'images'
  | 'documents'
  | 'other';

export type PromptParts = Readonly<Partial<Record<PromptKind, number>>>;

export interface PromptSize {
  /** Text tokens by the rules, including message framing. */
  readonly text: number;
  /** Tokens of images, documents, and the vendor's tool prompt, which are counted by other rules than text. */
  readonly fixed: number;
  /** Whether the prompt contains only text, so that its count follows from its text alone. */
  readonly isPlain: boolean;
  /** The sum of both, by what the tokens belong to. */
  readonly parts: PromptParts;
}

/** Measures everything the model reads: system prompt, messages, tools, images, documents, and the response schema. */
export function measurePrompt(request: ChatRequest, rules: PromptRules): PromptSize {
  const meter = new PromptMeter(rules);
  meter.addRequest(request);
  return meter;
}

const KIND_OF_ROLE = { system: 'system', user: 'messages', assistant: 'answers', tool: 'results' } as const;

class PromptMeter implements PromptSize {
  readonly #rules: PromptRules;
  readonly parts: Partial<Record<PromptKind, number>> = {};
  text = 0;
  fixed = 0;
  isPlain = true;

  constructor(rules: PromptRules) {
    this.#rules = rules;
  }

  addRequest({ system, messages, tools = [], hostedTools = [], responseFormat }: ChatRequest): void {
    this.#addTokens('messages', PER_REQUEST);
    if (system.some(({ text }) => text !== '')) this.#addTokens('system', PER_MESSAGE);
    for (const { text } of system) this.#addText('system', text);
    for (const message of messages) this.#addMessage(message);
    if (tools.length > 0) this.#addTools(tools);
    for (const { definition } of hostedTools) this.#addJson('tools', definition);
    if (responseFormat?.type === 'jsonSchema') this.#addJson('other', responseFormat.schema);
  }

  #addTokens(kind: PromptKind, tokens: number): void {
    this.text += tokens;
    this.#addPartOf(kind, tokens);
  }

  #addFixed(kind: PromptKind, tokens: number): void {
    this.isPlain = false;
    this.fixed += tokens;
    this.#addPartOf(kind, tokens);
  }

  #addPartOf(kind: PromptKind, tokens: number): void {
    this.parts[kind] = (this.parts[kind] ?? 0) + tokens;
  }

  #addText(kind: PromptKind, text: string): void {
    this.#addTokens(kind, this.#rules.countText(text));
  }

  #addJson(kind: PromptKind, value: unknown): void {
    this.isPlain = false;
    this.#addTokens(kind, PER_TOOL);
    this.#addText(kind, JSON.stringify(value) ?? '');
  }

  #addMessage({ role, parts }: Message): void {
    const kind = KIND_OF_ROLE[role];
    this.#addTokens(kind, PER_MESSAGE);
    for (const part of parts) this.#addPart(kind, part);
  }

  #addPart(kind: PromptKind, part: Message['parts'][number]): void {
    switch (part.type) {
      case 'text':
      case 'refusal':
        this.#addText(kind, part.text);
        return;
      case 'reasoning':
        this.isPlain = false;
        this.#addText('reasoning', part.text === '' ? (part.encrypted ?? '') : part.text);
        return;
      case 'image':
      case 'document':
        this.#addMedia(kind, part);
        return;
      case 'toolCall':
        this.isPlain = false;
        this.#addTokens('calls', PER_TOOL);
        this.#addText('calls', part.name);
        this.#addText('calls', part.arguments);
        return;
      case 'toolResult':
        this.isPlain = false;
        this.#addTokens(kind, PER_TOOL);
        for (const content of part.content) this.#addMedia(kind, content);
        return;
    }
  }

  #addMedia(kind: PromptKind, part: TextPart | ImagePart | DocumentPart): void {
    if (part.type === 'text') this.#addText(kind, part.text);
    else if (part.type === 'image') this.#addFixed('images', this.#rules.countImage(part));
    else this.#addDocument(part);
  }

  #addDocument({ source, name }: DocumentPart): void {
    this.isPlain = false;
    this.#addText('documents', name ?? '');
    if (source.kind === 'text') this.#addText('documents', source.text);
    else this.#addFixed('documents', documentTokens(source.kind === 'base64' ? source.data : undefined));
  }

  #addTools(tools: readonly Tool[]): void {
    this.#addFixed('other', this.#rules.toolPrompt);
    if (this.#rules.toolsAre === 'types') {
      this.#addTokens('tools', PER_NAMESPACE);
      this.#addText('tools', toolsAsTypes(tools));
    } else {
      this.#addTokens('tools', PER_TOOL * tools.length);
      for (const tool of tools) this.#addText('tools', toolAsJson(tool));
    }
  }
}

/**
 * Returns the tokens of a binary document.
 * @param base64 undefined if the request contains only its address or ID.
 */
export function documentTokens(base64: string | undefined): number {
  if (base64 === undefined) return UNKNOWN_DOCUMENT;
  const bytes = (base64.length * 3) / 4;
  return Math.max(MIN_DOCUMENT_TOKENS, Math.ceil(bytes / BYTES_PER_DOCUMENT_TOKEN));
}
