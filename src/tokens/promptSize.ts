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

/** How a vendor's models count a request. */
export interface PromptRules {
  /** Counts the whole tokens of a text. */
  readonly countText: (text: string) => number;
  readonly countImage: ImageRule;
  readonly toolsAre: 'json' | 'types';
  /** Tokens of the vendor's tool prompt, which is present if there are tools. */
  readonly toolPrompt: number;
}

export interface PromptSize {
  /** Text tokens by the rules, including message framing. */
  readonly text: number;
  /** Tokens of images, documents, and the vendor's tool prompt, which are counted by other rules than text. */
  readonly fixed: number;
  /** Whether the prompt contains only text, so that its count follows from its text alone. */
  readonly isPlain: boolean;
}

/** Measures everything the model reads: system prompt, messages, tools, images, documents, and the response schema. */
export function measurePrompt(request: ChatRequest, rules: PromptRules): PromptSize {
  const meter = new PromptMeter(rules);
  meter.addRequest(request);
  return meter;
}

class PromptMeter implements PromptSize {
  readonly #rules: PromptRules;
  text = PER_REQUEST;
  fixed = 0;
  isPlain = true;

  constructor(rules: PromptRules) {
    this.#rules = rules;
  }

  addRequest({ system, messages, tools = [], hostedTools = [], responseFormat }: ChatRequest): void {
    if (system.some(({ text }) => text !== '')) this.text += PER_MESSAGE;
    for (const { text } of system) this.#addText(text);
    for (const message of messages) this.#addMessage(message);
    if (tools.length > 0) this.#addTools(tools);
    for (const { definition } of hostedTools) this.#addJson(definition);
    if (responseFormat?.type === 'jsonSchema') this.#addJson(responseFormat.schema);
  }

  #addText(text: string): void {
    this.text += this.#rules.countText(text);
  }

  #addJson(value: unknown): void {
    this.isPlain = false;
    this.text += PER_TOOL;
    this.#addText(JSON.stringify(value) ?? '');
  }

  #addMessage({ parts }: Message): void {
    this.text += PER_MESSAGE;
    for (const part of parts) this.#addPart(part);
  }

  #addPart(part: Message['parts'][number]): void {
    switch (part.type) {
      case 'text':
      case 'refusal':
        this.#addText(part.text);
        return;
      case 'reasoning':
        this.isPlain = false;
        this.#addText(part.text === '' ? (part.encrypted ?? '') : part.text);
        return;
      case 'image':
      case 'document':
        this.#addMedia(part);
        return;
      case 'toolCall':
        this.isPlain = false;
        this.text += PER_TOOL;
        this.#addText(part.name);
        this.#addText(part.arguments);
        return;
      case 'toolResult':
        this.isPlain = false;
        this.text += PER_TOOL;
        for (const content of part.content) this.#addMedia(content);
        return;
    }
  }

  #addMedia(part: TextPart | ImagePart | DocumentPart): void {
    if (part.type === 'text') {
      this.#addText(part.text);
      return;
    }
    this.isPlain = false;
    if (part.type === 'image') this.fixed += this.#rules.countImage(part);
    else this.#addDocument(part);
  }

  #addDocument({ source, name }: DocumentPart): void {
    this.#addText(name ?? '');
    if (source.kind === 'text') this.#addText(source.text);
    else this.fixed += documentTokens(source.kind === 'base64' ? source.data : undefined);
  }

  #addTools(tools: readonly Tool[]): void {
    this.isPlain = false;
    this.fixed += this.#rules.toolPrompt;
    if (this.#rules.toolsAre === 'types') {
      this.text += PER_NAMESPACE;
      this.#addText(toolsAsTypes(tools));
    } else {
      this.text += PER_TOOL * tools.length;
      for (const tool of tools) this.#addText(toolAsJson(tool));
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
