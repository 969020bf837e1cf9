/** Text, images, and documents in user messages and tool outputs. */
import type { CacheHint, DocumentPart, ImagePart, MediaSource, TextPart, UserPart } from '../conversation.ts';
import { readForeignPart } from '../foreignParts.ts';
import { defined } from '../json.ts';
import { decodeAddress, defaultName, encodeAddress, imageOrDocument } from '../media.ts';
import { decodeOutputText } from './annotations.ts';
import { isKnownPart, type ResponsesContent, type ResponsesKnownContent } from './contentSchema.ts';
import type { MessageItem } from './schema.ts';

type Content = MessageItem['content'];

/** The lifetimes of cached prefixes that this format supports. */
const CACHE_LIFETIMES = new Set(['30m', '12h']);
const PDF = 'application/pdf';

export function decodeContent(content: Content): UserPart[] {
  if (content === null || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap(decodePart);
}

export function decodeTexts(content: Content): TextPart[] {
  return decodeContent(content).filter((part) => part.type === 'text');
}

/** Decodes a part. The neutral form does not support other types, such as audio. */
function decodePart(part: ResponsesContent): UserPart[] {
  if (!isKnownPart(part)) return readForeignPart(part);
  switch (part.type) {
    case 'input_text':
    case 'text':
      return [defined({ type: 'text' as const, text: part.text, cacheHint: decodeHint(part) })];
    case 'output_text':
      return [decodeOutputText(part)];
    case 'refusal':
      return [{ type: 'text', text: part.refusal }];
    case 'input_image': {
      const source = part.image_url ? decodeAddress(part.image_url) : fileSource(part.file_id);
      return [imageOrDocument(source, defined({ detail: part.detail ?? undefined, cacheHint: decodeHint(part) }))];
    }
    case 'image_url': {
      const { url, detail } = typeof part.image_url === 'string' ? { url: part.image_url } : part.image_url;
      return [imageOrDocument(decodeAddress(url), defined({ detail: detail ?? undefined }))];
    }
    case 'input_file': {
      const name = part.filename ?? undefined;
      return [defined({ type: 'document' as const, source: decodeFile(part), name, cacheHint: decodeHint(part) })];
    }
  }
}

function decodeFile(file: Extract<ResponsesKnownContent, { type: 'input_file' }>): MediaSource {
  if (file.file_url) return { kind: 'url', url: file.file_url };
  if (!file.file_data) return fileSource(file.file_id);
  const source = decodeAddress(file.file_data);
  return source.kind === 'base64' ? source : { kind: 'base64', mediaType: PDF, data: file.file_data };
}

/** Returns a file as the source. The schema ensures that one of the possible sources is present. */
function fileSource(id: string | null | undefined): MediaSource {
  return { kind: 'file', id: id ?? '' };
}

function decodeHint(part: { prompt_cache_breakpoint?: { ttl?: string | null | undefined } | null | undefined }) {
  const breakpoint = part.prompt_cache_breakpoint;
  return breakpoint ? defined({ ttl: breakpoint.ttl ?? undefined }) : undefined;
}

/** Encodes content as a string if that is sufficient, because every service accepts it. Empty text is dropped. */
export function encodeContent(parts: readonly UserPart[]): string | ResponsesContent[] {
  const filled = parts.filter((part) => part.type !== 'text' || part.text !== '');
  const [first, ...others] = filled;
  if (first === undefined) return '';
  const plain = first.type === 'text' && first.cacheHint === undefined && others.length === 0;
  return plain ? first.text : filled.map(encodePart);
}

function encodePart(part: UserPart): ResponsesContent {
  const hint = encodeHint(part.cacheHint);
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text, ...hint };
    case 'image':
      return { type: 'input_image', ...encodeImage(part), ...hint };
    case 'document':
      return { ...encodeDocument(part), ...hint };
  }
}

/** Encodes an image with `detail`, which is required in this format. */
function encodeImage({ source, detail = 'auto' }: ImagePart) {
  return source.kind === 'file' ? { file_id: source.id, detail } : { image_url: encodeAddress(source), detail };
}

/**
 * Encodes a document. A plain-text document becomes text, because most services with this format only read PDF files.
 */
function encodeDocument({ source, name }: DocumentPart): ResponsesContent {
  const type = 'input_file';
  switch (source.kind) {
    case 'text':
      return { type: 'input_text', text: name === undefined ? source.text : `${name}\n\n${source.text}` };
    case 'url':
      return { type, file_url: source.url, ...defined({ filename: name }) };
    case 'file':
      return { type, file_id: source.id, ...defined({ filename: name }) };
    case 'base64':
      return { type, file_data: encodeAddress(source), filename: name ?? defaultName(source.mediaType) };
  }
}

function encodeHint(hint: CacheHint | undefined) {
  if (hint === undefined) return undefined;
  const ttl = hint.ttl !== undefined && CACHE_LIFETIMES.has(hint.ttl) ? hint.ttl : undefined;
  return { prompt_cache_breakpoint: defined({ mode: 'explicit', ttl }) };
}
