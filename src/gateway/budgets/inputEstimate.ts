import { FormatError } from '../../formats/apiError.ts';
import type { ChatRequest, DocumentPart, ImagePart, Message, ToolResultPart } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { estimateInputTokens } from '../../tokens/estimate.ts';
import { imageSize } from '../../tokens/imageSize.ts';
import { familyOf } from '../../tokens/modelFamily.ts';
import { type AskedRequest, goesOn, HOSTED, plainName } from './askedRequest.ts';

/** Of a model whose catalog does not say how much it can read, in tokens. */
const DEFAULT_CONTEXT_WINDOW = 200_000;
/** What vendors add where there are tools. Marks around messages have no more tokens than JSON has bytes for them. */
const ADDED_FOR_TOOLS = 1_000;
/** No published rule takes fewer pixels for a token, nor more tokens for an image that was scaled down. */
const PIXELS_PER_TOKEN = 400;
const LARGEST_IMAGE = 16_384;

/**
 * The most input tokens that a request can have. A tokenizer that works on bytes never makes more tokens than there are
 * bytes; images count by the vendors' rules. What nobody here can see (documents, addresses, files and conversations
 * that the service keeps, what its own tools find) may fill the model's window, and no request can have more than that.
 * @param bytes Length of the body.
 * @param window The model's, in tokens; absent when it is not known.
 */
export function mostInput(asked: AskedRequest, bytes: number, format: WireFormat, window?: number): number {
  const seen = goesOn(asked) ? undefined : seenInput(asked, bytes, format);
  const most = seen === undefined ? Math.max(window ?? DEFAULT_CONTEXT_WINDOW, 0) : seen;
  const withText = seen === undefined && window === undefined ? most + bytes : most;
  return Math.min(withText, window ?? Number.POSITIVE_INFINITY);
}

/** Whether the prompt may grow while it is answered, by what tools of the service find: what is told at first is not all. */
export function mayGrow({ body }: AskedRequest): boolean {
  const { tools } = body;
  return looksUp(body) || (Array.isArray(tools) && tools.some((tool) => !isRecord(tool) || isToolOfService(tool)));
}

function looksUp(body: JsonRecord): boolean {
  return HOSTED.some((name) => body[name] !== undefined && body[name] !== null);
}

/** Tools of the caller have a schema for their arguments, or are of a type that all formats share. */
export function isToolOfService({ type }: JsonRecord): boolean {
  return typeof type === 'string' && !CALLERS_TOOLS.has(type);
}

const CALLERS_TOOLS: ReadonlySet<string> = new Set(['function', 'custom', 'namespace', 'local_shell', 'apply_patch']);

/** Of a body that its format cannot read. */
const BYTES_PER_TOKEN = 4;

/** The input tokens that a request probably has, without a tokenizer. @param bytes Length of the body. */
export function probableInput({ body }: AskedRequest, bytes: number, format: WireFormat): number {
  try {
    return estimateInputTokens(format.decodeRequest(body));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return Math.ceil(bytes / BYTES_PER_TOKEN);
  }
}

/** `undefined` when there is something that nobody here can see. */
function seenInput({ body }: AskedRequest, bytes: number, format: WireFormat): number | undefined {
  const request = decoded(body, format);
  if (request === undefined || (request.hostedTools ?? []).length > 0 || looksUp(body)) return undefined;
  let tokens = bytes + ((request.tools ?? []).length > 0 ? ADDED_FOR_TOOLS : 0);
  for (const part of mediaOf(request)) {
    if (part.type === 'document' || part.source.kind !== 'base64') return undefined;
    tokens += mostOfImage(part, request.model) - part.source.data.length;
  }
  return tokens;
}

/** What we do not understand an upstream may. */
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

/** Types of parts that are more to the model than their bytes, but for those whose content is read. */
const MEDIA = /audio|video|reference|mcp|search_result|server_tool|compaction/i;

/** Members that decide how a part is read. In capitals, some programs read them all the same. */
const DECIDING: ReadonlySet<string> = new Set(['type', 'content', 'source', 'image_url']);
const READ_OTHERWISE = 'reference';

function mayBeReadOtherwise(part: JsonRecord): boolean {
  return Object.keys(part).some((name) => !DECIDING.has(name) && DECIDING.has(plainName(name)));
}

/** Of the items of a conversation and their parts, with those within. */
function typesIn({ messages, input, system }: JsonRecord): readonly string[] {
  const types: string[] = [];
  const waiting: unknown[] = [messages, input, system];
  for (let value = waiting.pop(); value !== undefined || waiting.length > 0; value = waiting.pop()) {
    // Arguments of a call are on the stack, of which there is not enough for all that a body may have.
    if (Array.isArray(value)) for (const each of value) waiting.push(each);
    else if (isRecord(value)) {
      if (typeof value.type === 'string') types.push(value.type);
      if (mayBeReadOtherwise(value)) types.push(READ_OTHERWISE);
      waiting.push(value.content);
    }
  }
  return types;
}

/** All but text; a document of plain text is in the body as it is. */
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
  const byArea = size === undefined ? LARGEST_IMAGE : Math.ceil((size.width * size.height) / PIXELS_PER_TOKEN);
  return Math.max(byRule, Math.min(LARGEST_IMAGE, byArea));
}
