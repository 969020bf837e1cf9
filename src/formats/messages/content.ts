/** Converts text, images, documents, and tool results between neutral parts and content blocks. */
import type { CacheHint, DocumentPart, ImagePart, MediaSource, TextPart, ToolResultPart } from '../conversation.ts';
import { defined } from '../json.ts';
import { imageOrDocument, mediaOf, textOfBase64 } from '../media.ts';
import {
  type CacheControl,
  type DocumentBlock,
  type ImageBlock,
  isKnownResultContent,
  type RequestBlock,
  type ResultContent,
  type SearchResultBlock,
  type TextBlock,
  type ToolReferenceBlock,
  type ToolResultBlock,
} from './schema.ts';

const SVG = 'image/svg+xml';

export type MessagesContent = TextPart | ImagePart | DocumentPart;
export type ContentBlock = TextBlock | ImageBlock | DocumentBlock | SearchResultBlock;

export function decodeCacheHint(control: CacheControl): CacheHint | undefined {
  if (control === null || control === undefined) return undefined;
  return typeof control.ttl === 'string' ? { ttl: control.ttl } : {};
}

export function encodeCacheHint(hint: CacheHint | undefined) {
  return hint === undefined ? undefined : { type: 'ephemeral', ...hint };
}

/** Decodes text given as a string or as blocks. Empty text is dropped. */
export function decodeText(content: string | readonly TextBlock[]): TextPart[] {
  const blocks: readonly TextBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return blocks.flatMap(decodeContent).filter((part) => part.type === 'text');
}

export function decodeContent(block: ContentBlock): MessagesContent[] {
  const cacheHint = decodeCacheHint(block.cache_control);
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [defined({ type: block.type, text: block.text, cacheHint })];
    case 'image':
      return [imageOrDocument(decodeSource(block.source), defined({ cacheHint }))];
    case 'document':
      return [
        defined({
          type: block.type,
          source: decodeDocumentSource(block.source),
          name: block.title ?? undefined,
          cacheHint,
        }),
      ];
    case 'search_result': {
      const text = [block.source, ...block.content.map((inner) => inner.text ?? '')].join('\n\n');
      return [
        defined({ type: 'document' as const, source: { kind: 'text' as const, text }, name: block.title, cacheHint }),
      ];
    }
  }
}

function decodeSource(source: ImageBlock['source']): MediaSource {
  switch (source.type) {
    case 'base64':
      return mediaOf(source.media_type, source.data);
    case 'url':
      return { kind: source.type, url: source.url };
    case 'file':
      return { kind: source.type, id: source.file_id };
  }
}

function decodeDocumentSource(source: DocumentBlock['source']): DocumentPart['source'] {
  switch (source.type) {
    case 'text':
      return { kind: 'text', text: source.data };
    case 'content': {
      const { content } = source;
      const texts = typeof content === 'string' ? [content] : content.map((inner) => inner.text ?? '');
      return { kind: 'text', text: texts.join('\n\n') };
    }
    default:
      return decodeSource(source);
  }
}

/** Drops text blocks without a visible character, because the service rejects them. */
export function encodeContents(parts: readonly MessagesContent[]): (TextBlock | ImageBlock | DocumentBlock)[] {
  return parts.filter((part) => part.type !== 'text' || part.text.trim() !== '').map(encodeContent);
}

function encodeContent(part: MessagesContent): TextBlock | ImageBlock | DocumentBlock {
  const cache_control = encodeCacheHint(part.cacheHint);
  switch (part.type) {
    case 'text':
      return defined({ type: part.type, text: part.text, cache_control });
    case 'image': {
      // The text of a vector graphic is all that services of this format can read of it.
      const { source } = part;
      const isVector = source.kind === 'base64' && source.mediaType === SVG;
      const text = isVector ? textOfBase64(SVG, source.data) : undefined;
      if (text !== undefined) return defined({ type: 'document' as const, source: textSourceOf(text), cache_control });
      return defined({ type: part.type, source: encodeSource(source), cache_control });
    }
    case 'document':
      return defined({
        type: part.type,
        source: encodeDocumentSource(part.source),
        title: part.name,
        cache_control,
      });
  }
}

function encodeSource(source: MediaSource): ImageBlock['source'] {
  switch (source.kind) {
    case 'base64':
      return { type: source.kind, media_type: source.mediaType, data: source.data };
    case 'url':
      return { type: source.kind, url: source.url };
    case 'file':
      return { type: source.kind, file_id: source.id };
  }
}

/** Encodes the source of a document. Only PDF is supported as base64; text has a separate source type. */
function encodeDocumentSource(source: DocumentPart['source']): DocumentBlock['source'] {
  if (source.kind === 'text') return textSourceOf(source.text);
  const text = source.kind === 'base64' ? textOfBase64(source.mediaType, source.data) : undefined;
  return text === undefined ? encodeSource(source) : textSourceOf(text);
}

function textSourceOf(data: string) {
  return { type: 'text' as const, media_type: 'text/plain', data };
}

/** Converts a single text block without other members to a string, which every service supports. */
export function compact<Block extends ResultContent | RequestBlock>(blocks: Block[]): string | Block[] {
  const [only] = blocks;
  if (blocks.length !== 1 || only?.type !== 'text' || Object.keys(only).length > 2) return blocks;
  return typeof only.text === 'string' ? only.text : blocks;
}

export function decodeToolResult(block: ToolResultBlock): ToolResultPart {
  const content = block.content ?? [];
  return defined({
    type: 'toolResult' as const,
    toolCallId: block.tool_use_id,
    content:
      typeof content === 'string'
        ? decodeText(content)
        : content.filter(isKnownResultContent).flatMap(decodeResultContent),
    isError: block.is_error ?? undefined,
    cacheHint: decodeCacheHint(block.cache_control),
  });
}

/**
 * Decodes the content of a result. The neutral form has no tool references, but an empty result would mean that nothing
 * was found.
 */
function decodeResultContent(block: ContentBlock | ToolReferenceBlock): MessagesContent[] {
  if (block.type !== 'tool_reference') return decodeContent(block);
  return [{ type: 'text', text: `The tool ${block.tool_name} can be called from now on.` }];
}

export function encodeToolResult(part: ToolResultPart): ToolResultBlock {
  const content = encodeContents(part.content);
  return defined({
    type: 'tool_result' as const,
    tool_use_id: toolUseId(part.toolCallId),
    content: content.length > 0 ? compact(content) : undefined,
    is_error: part.isError,
    cache_control: encodeCacheHint(part.cacheHint),
  });
}

/** Replaces characters that some models write in tool call IDs. The service accepts letters, digits, `_`, and `-`. */
export function toolUseId(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}
