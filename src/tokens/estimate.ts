/**
 * Input tokens of a whole request without a tokenizer and without the network: the figure behind the "≈" before
 * the service has counted. Text by {@link estimateTokens}; the rest by the rules below, each a plain constant.
 */
import type { ChatRequest, DocumentPart, ImagePart, Message, TextPart, Tool } from '../formats/conversation.ts';
import { imageSize } from './imageSize.ts';
import { estimateTokens } from './textEstimate.ts';

export { estimateTokens } from './textEstimate.ts';

/** The marks around a conversation, and around each message with its role. */
const PER_REQUEST = 3;
const PER_MESSAGE = 4;
/** The marks around a tool call, a tool result or a tool definition. */
const PER_TOOL = 8;

/** A longer image is scaled down to this many pixels on its long edge, and costs a token for each 750 pixels. */
const LONGEST_EDGE = 1568;
const PIXELS_PER_TOKEN = 750;
/** Images never cost more than this; one whose size cannot be read is taken for a large one. */
const LARGEST_IMAGE = 1600;
/** An image asked for in low detail. */
const LOW_DETAIL_IMAGE = 85;

/** Pages of a document that is not text: a token for each 20 bytes, at least a short page. */
const BYTES_PER_DOCUMENT_TOKEN = 20;
const SMALLEST_DOCUMENT = 500;
/** A document behind an address or a file id. */
const UNKNOWN_DOCUMENT = 2000;

/** Everything the model would read: system prompt, messages, tools, images, documents, the schema of the answer. */
export function estimateRequestTokens(request: ChatRequest): number {
  const system = sum(request.system, ({ text }) => estimateTokens(text));
  const messages = sum(request.messages, estimateMessageTokens);
  const tools = sum(request.tools ?? [], toolTokens);
  const hosted = sum(request.hostedTools ?? [], ({ definition }) => PER_TOOL + jsonTokens(definition));
  const { responseFormat } = request;
  const schema = responseFormat?.type === 'jsonSchema' ? PER_TOOL + jsonTokens(responseFormat.schema) : 0;
  return PER_REQUEST + (system === 0 ? 0 : PER_MESSAGE + system) + messages + tools + hosted + schema;
}

function estimateMessageTokens(message: Message): number {
  return PER_MESSAGE + sum(message.parts, partTokens);
}

function partTokens(part: Message['parts'][number]): number {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return estimateTokens(part.text);
    case 'reasoning':
      return estimateTokens(part.text === '' ? (part.encrypted ?? '') : part.text);
    case 'image':
    case 'document':
      return contentTokens(part);
    case 'toolCall':
      return PER_TOOL + estimateTokens(part.name) + estimateTokens(part.arguments);
    case 'toolResult':
      return PER_TOOL + sum(part.content, contentTokens);
  }
}

function contentTokens(part: TextPart | ImagePart | DocumentPart): number {
  if (part.type === 'text') return estimateTokens(part.text);
  return part.type === 'image' ? imageTokens(part) : documentTokens(part);
}

function imageTokens({ source, detail }: ImagePart): number {
  if (detail === 'low') return LOW_DETAIL_IMAGE;
  const size = source.kind === 'base64' ? imageSize(source.data) : undefined;
  if (size === undefined) return LARGEST_IMAGE;
  const scale = Math.min(1, LONGEST_EDGE / Math.max(size.width, size.height));
  const pixels = size.width * scale * size.height * scale;
  return Math.min(LARGEST_IMAGE, Math.max(1, Math.ceil(pixels / PIXELS_PER_TOKEN)));
}

function documentTokens({ source, name }: DocumentPart): number {
  const title = estimateTokens(name ?? '');
  if (source.kind === 'text') return title + estimateTokens(source.text);
  if (source.kind !== 'base64') return title + UNKNOWN_DOCUMENT;
  const bytes = (source.data.length * 3) / 4;
  return title + Math.max(SMALLEST_DOCUMENT, Math.ceil(bytes / BYTES_PER_DOCUMENT_TOKEN));
}

function toolTokens({ name, description, parameters, grammar }: Tool): number {
  const text = estimateTokens(name) + estimateTokens(description ?? '');
  return PER_TOOL + text + jsonTokens(parameters) + jsonTokens(grammar);
}

function jsonTokens(value: unknown): number {
  return value === undefined ? 0 : estimateTokens(JSON.stringify(value));
}

function sum<T>(items: readonly T[], tokensOf: (item: T) => number): number {
  return items.reduce((total, item) => total + tokensOf(item), 0);
}
