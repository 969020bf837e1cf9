import { FormatError } from '../../formats/apiError.ts';
import type { ChatRequest, DocumentPart, ImagePart, Message, ToolResultPart } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { estimateInputTokens } from '../../tokens/estimate.ts';
import { imageSize } from '../../tokens/imageSize.ts';
import { familyOf } from '../../tokens/modelFamily.ts';
import { BYTES_PER_TOKEN } from '../core/usageEstimator.ts';
import { type AskedRequest, HOSTED, hasPreviousResponse, plainName } from './askedRequest.ts';

/** For models whose catalog lists no context window, in tokens. */
const DEFAULT_CONTEXT_WINDOW = 200_000;
/**
 * Tokens that vendors add if there are tools. The marks around messages never have more tokens than their JSON has
 * bytes.
 */
const ADDED_FOR_TOOLS = 1_000;
/** Tokens that vendors add for each search tool of their own. */
const ADDED_FOR_SEARCH = 3_000;
/** No published rule uses fewer pixels per token, nor more tokens for an image that was scaled down. */
const PIXELS_PER_TOKEN = 400;
const MAX_IMAGE_TOKENS = 16_384;

/**
 * The maximum number of input tokens that a request can have. A tokenizer that works on bytes never produces more
 * tokens than there are bytes; images count by the vendors' rules. Content that is not in the body (documents, URLs,
 * files and conversations stored by the service, results of its own tools) may fill the model's context window, and no
 * request can exceed that.
 * @param bytes length of the body.
 * @param window context window of the model, in tokens. Undefined if not known.
 */
export function maxInput(asked: AskedRequest, bytes: number, format: WireFormat, window?: number): MaxInput {
  const seen = hasPreviousResponse(asked) ? undefined : seenInput(asked, bytes, format);
  if (seen !== undefined) return { ...seen, tokens: Math.min(seen.tokens, window ?? Number.POSITIVE_INFINITY) };
  const tokens = window === undefined ? DEFAULT_CONTEXT_WINDOW + bytes : Math.max(window, 0);
  return { tokens };
}

export interface MaxInput {
  readonly tokens: number;
  /** Set if all of it is text in the body: the tokens that vendors may add to it. */
  readonly text?: { readonly addedTokens: number };
}

/**
 * Describes a prompt that is all text in the body until a search of the service adds its results. Undefined if it has no
 * search tool, or anything else that is not in the body.
 */
export function textUntilSearch(asked: AskedRequest, format: WireFormat): MaxInput['text'] {
  const { tools } = asked.body;
  const hosted = Array.isArray(tools) ? tools.filter((tool) => !isRecord(tool) || isToolOfService(tool)) : [];
  const isSearch = (tool: unknown) => isRecord(tool) && String(tool.type).startsWith('web_search');
  if (hosted.length === 0 || !hosted.every(isSearch) || hasPreviousResponse(asked) || looksUp(asked.body))
    return undefined;
  const request = decoded(asked.body, format);
  if (request === undefined || mediaOf(request).length > 0) return undefined;
  return { addedTokens: ADDED_FOR_TOOLS + hosted.length * ADDED_FOR_SEARCH };
}

/**
 * Whether the prompt may grow during the answer, by results of the service's tools. The usage reported at first is then
 * incomplete.
 */
export function mayGrow({ body }: AskedRequest): boolean {
  const { tools } = body;
  return looksUp(body) || (Array.isArray(tools) && tools.some((tool) => !isRecord(tool) || isToolOfService(tool)));
}

function looksUp(body: JsonRecord): boolean {
  return HOSTED.some((name) => body[name] !== undefined && body[name] !== null);
}

/** The caller's own tools have a schema for their arguments, or a type that all formats share. */
export function isToolOfService({ type }: JsonRecord): boolean {
  return typeof type === 'string' && !CALLERS_TOOLS.has(type);
}

const CALLERS_TOOLS: ReadonlySet<string> = new Set(['function', 'custom', 'namespace', 'local_shell', 'apply_patch']);

/**
 * Estimates the input tokens of a request without a tokenizer.
 * @param bytes length of the body.
 */
export function probableInput({ body }: AskedRequest, bytes: number, format: WireFormat): number {
  try {
    return estimateInputTokens(format.decodeRequest(body));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return Math.ceil(bytes / BYTES_PER_TOKEN);
  }
}

/** Returns `undefined` if some content is not in the body. */
function seenInput({ body }: AskedRequest, bytes: number, format: WireFormat): MaxInput | undefined {
  const request = decoded(body, format);
  if (request === undefined || (request.hostedTools ?? []).length > 0 || looksUp(body)) return undefined;
  const addedTokens = (request.tools ?? []).length > 0 ? ADDED_FOR_TOOLS : 0;
  let tokens = bytes + addedTokens;
  const media = mediaOf(request);
  for (const part of media) {
    if (part.type === 'document' || part.source.kind !== 'base64') return undefined;
    tokens += mostOfImage(part, request.model) - part.source.data.length;
  }
  return { tokens, ...(media.length === 0 && { text: { addedTokens } }) };
}

/** Returns `undefined` if parts of the body are not understood, because an upstream may understand them. */
function decoded(body: JsonRecord, format: WireFormat): ChatRequest | undefined {
  try {
    const request = format.decodeRequest(body);
    const dropped = new Set(request.dropped);
    return typesIn(body).some((type) => dropped.has(type) || MEDIA.test(type)) ? undefined : request;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return undefined;
  }
}

/** Types of parts that may count for more tokens than they have bytes, except for those whose content is read. */
const MEDIA = /audio|video|reference|mcp|search_result|server_tool|compaction/i;

/** Members that determine how a part is read. Some programs also accept them in capitals. */
const DECIDING: ReadonlySet<string> = new Set(['type', 'content', 'source', 'image_url']);
const READ_OTHERWISE = 'reference';

function mayBeReadOtherwise(part: JsonRecord): boolean {
  return Object.keys(part).some((name) => !DECIDING.has(name) && DECIDING.has(plainName(name)));
}

/** The types of a conversation's items and their parts, at any depth. */
function typesIn({ messages, input, system }: JsonRecord): readonly string[] {
  const types: string[] = [];
  const waiting: unknown[] = [messages, input, system];
  for (let value = waiting.pop(); value !== undefined || waiting.length > 0; value = waiting.pop()) {
    // Uses a loop instead of spread arguments, because the arguments of a call are on the stack, which is too small for
    // a large body.
    if (Array.isArray(value)) for (const each of value) waiting.push(each);
    else if (isRecord(value)) {
      if (typeof value.type === 'string') types.push(value.type);
      if (mayBeReadOtherwise(value)) types.push(READ_OTHERWISE);
      waiting.push(value.content);
    }
  }
  return types;
}

/** All parts except text. A document of plain text is in the body as it is. */
function mediaOf({ messages }: ChatRequest): (ImagePart | DocumentPart)[] {
  const parts: readonly { readonly type: string }[] = messages.flatMap((message): readonly MessagePart[] =>
    message.role === 'tool' ? message.parts.flatMap(({ content }) => content) : message.parts,
  );
  return parts.filter(isMedia);
}

type MessagePart = Exclude<Message['parts'][number], ToolResultPart> | ToolResultPart['content'][number];

function isMedia(part: { readonly type: string }): part is ImagePart | DocumentPart {
  if (part.type === 'image') return true;
  return part.type === 'document' && (part as DocumentPart).source.kind !== 'text';
}

function mostOfImage(image: ImagePart, model: string): number {
  const byRule = familyOf(model).countImage(image);
  const size = image.source.kind === 'base64' ? imageSize(image.source.data) : undefined;
  const byArea = size === undefined ? MAX_IMAGE_TOKENS : Math.ceil((size.width * size.height) / PIXELS_PER_TOKEN);
  return Math.max(byRule, Math.min(MAX_IMAGE_TOKENS, byArea));
}
