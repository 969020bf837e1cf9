/** Decodes and encodes content parts. */
import type {
  CacheHint,
  DocumentPart,
  ImagePart,
  MediaSource,
  ReasoningPart,
  RefusalPart,
  TextPart,
  UserPart,
} from '../conversation.ts';
import { readForeignPart } from '../foreignParts.ts';
import { defined } from '../json.ts';
import { decodeAddress, imageOrDocument } from '../media.ts';
import { isKnownPart, type WireContent, type WirePart } from './contentSchema.ts';

type ContentPart = UserPart | RefusalPart | ReasoningPart;

/**
 * Decodes the parts in order. Empty text becomes no part, because other formats reject it. Parts that the neutral form
 * does not support, such as audio, are dropped.
 */
export function decodeContent(content: WireContent): ContentPart[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap(decodePart);
}

export function isText(part: ContentPart): part is TextPart {
  return part.type === 'text';
}

export function isUserPart(part: ContentPart): part is UserPart {
  return part.type !== 'refusal' && part.type !== 'reasoning';
}

function decodePart(part: WirePart): ContentPart[] {
  if (!isKnownPart(part)) return readForeignPart(part);
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text, ...decodeCacheHint(part) }];
    case 'image_url': {
      const { url, detail } = typeof part.image_url === 'string' ? { url: part.image_url } : part.image_url;
      const details = { ...defined({ detail: detail ?? undefined }), ...decodeCacheHint(part) };
      return [imageOrDocument(decodeAddress(url), details)];
    }
    case 'file': {
      const { file_data: data, file_id: id, filename } = part.file;
      const source: MediaSource = typeof data === 'string' ? decodeAddress(data) : { kind: 'file', id: id ?? '' };
      return [{ type: 'document', source, ...defined({ name: filename ?? undefined }), ...decodeCacheHint(part) }];
    }
    case 'refusal':
      return part.refusal === '' ? [] : [{ type: 'refusal', text: part.refusal }];
    case 'thinking': {
      const { thinking } = part;
      const text = typeof thinking === 'string' ? thinking : thinking.map((piece) => piece.text ?? '').join('');
      return text === '' ? [] : [{ type: 'reasoning', text }];
    }
  }
}

interface CacheFields {
  readonly cache_control?: CacheMark;
  readonly prompt_cache_breakpoint?: CacheMark;
}
type CacheMark = { readonly ttl?: string | null | undefined } | null | undefined;

export function decodeCacheHint(part: CacheFields): { cacheHint?: CacheHint } {
  const mark = part.cache_control ?? part.prompt_cache_breakpoint;
  if (mark === undefined || mark === null) return {};
  return { cacheHint: defined({ ttl: mark.ttl ?? undefined }) };
}

/**
 * Encodes a single text as a string, which every server of this format accepts, and anything else as a list of parts.
 */
export function encodeContent(parts: readonly UserPart[]): string | WirePart[] {
  const filled = parts.filter((part) => part.type !== 'text' || part.text !== '');
  const [first] = filled;
  if (first === undefined) return '';
  if (filled.length === 1 && first.type === 'text') return first.text;
  return filled.map(encodePart);
}

/** Encodes a part without its cache hint, because strict servers of this format reject hints. */
function encodePart(part: UserPart): WirePart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return encodeImage(part);
    case 'document':
      return encodeDocument(part);
  }
}

export function encodeImage({ source, detail }: Omit<ImagePart, 'type'>): WirePart {
  if (source.kind === 'file') return { type: 'file', file: { file_id: source.id } };
  return { type: 'image_url', image_url: defined({ url: encodeAddress(source), detail }) };
}

/** Bytes require a file name in this format. A plain-text document is sent as text. */
function encodeDocument({ source, name }: DocumentPart): WirePart {
  switch (source.kind) {
    case 'text':
      return { type: 'text', text: name === undefined ? source.text : `${name}\n\n${source.text}` };
    case 'file':
      return { type: 'file', file: defined({ filename: name, file_id: source.id }) };
    case 'url':
      return { type: 'file', file: defined({ filename: name, file_data: source.url }) };
    case 'base64': {
      const filename = name ?? (source.mediaType === 'application/pdf' ? 'document.pdf' : 'document');
      return { type: 'file', file: { filename, file_data: encodeAddress(source) } };
    }
  }
}

function encodeAddress(source: Exclude<MediaSource, { kind: 'file' }>): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
}
