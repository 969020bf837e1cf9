import type { ImagePart, MediaSource } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import type { ModelFamily } from '../../tokens/modelFamily.ts';
import { documentTokens } from '../../tokens/promptSize.ts';

const DATA_URL = /^data:([^;,]*)[^,]*;base64,/;
/** What is hashed of long data: its end differs if any part of a compressed image does. */
const HASHED_LENGTH = 4_096;
/** The tokens of a sound whose length in seconds is not known. */
const AUDIO_TOKENS = 500;

export interface Media {
  readonly kind: 'images' | 'documents';
  readonly tokens: number;
  /** Text of a document, which is counted like any other. */
  readonly text?: string;
  /** The parts of a document that has texts and images. */
  readonly parts?: readonly unknown[];
  readonly identity: string;
}

/** Returns undefined for a part of another type. */
export function mediaOf(part: JsonRecord, family: ModelFamily): Media | undefined {
  switch (part.type) {
    case 'image':
      return image(part, sourceOf(part.source), family);
    case 'image_url':
    case 'input_image':
    case 'computer_screenshot':
      return image(part, urlSource(part.image_url) ?? idSource(part.file_id), family);
    case 'document':
      return document(part, part.source);
    case 'file':
    case 'input_file':
    case 'video_url':
    case 'input_video':
      return document(part, isRecord(part.file) ? part.file : part);
    case 'document_url': {
      const url = urlSource(part.document_url);
      return document(part, url?.kind === 'base64' ? url : part);
    }
    case 'input_audio':
      return { kind: 'documents', tokens: AUDIO_TOKENS, identity: JSON.stringify(part).slice(-HASHED_LENGTH) };
    default:
      return undefined;
  }
}

function image(part: JsonRecord, source: MediaSource | undefined, family: ModelFamily): Media {
  const written = part.detail ?? (isRecord(part.image_url) ? part.image_url.detail : undefined);
  const read: ImagePart = {
    type: 'image',
    source: source ?? { kind: 'url', url: '' },
    ...(typeof written === 'string' && { detail: written }),
  };
  return { kind: 'images', tokens: family.countImage(read), identity: identityOf(source) };
}

function document(part: JsonRecord, source: unknown): Media {
  const { type, data, file_data: fileData, content } = isRecord(source) ? source : {};
  if (type === 'text' && typeof data === 'string') return { kind: 'documents', tokens: 0, text: data, identity: '' };
  if (type === 'content') {
    const parts = Array.isArray(content) ? content : [{ type: 'text', text: String(content) }];
    return { kind: 'documents', tokens: 0, parts, identity: '' };
  }
  const base64 = [data, fileData].find((value) => typeof value === 'string');
  const identity = (base64 ?? JSON.stringify(part)).slice(-HASHED_LENGTH);
  return { kind: 'documents', tokens: documentTokens(base64?.replace(DATA_URL, '')), identity };
}

function sourceOf(source: unknown): MediaSource | undefined {
  if (!isRecord(source)) return undefined;
  const { type, data, media_type: mediaType, url } = source;
  if (type === 'base64' && typeof data === 'string') return { kind: 'base64', mediaType: String(mediaType), data };
  return urlSource(url) ?? idSource(source.file_id);
}

function urlSource(image: unknown): MediaSource | undefined {
  const url = isRecord(image) ? image.url : image;
  if (typeof url !== 'string') return undefined;
  const match = DATA_URL.exec(url);
  if (match === null) return { kind: 'url', url };
  return { kind: 'base64', mediaType: match[1] ?? '', data: url.slice(match[0].length) };
}

function idSource(id: unknown): MediaSource | undefined {
  return typeof id === 'string' ? { kind: 'file', id } : undefined;
}

function identityOf(source: MediaSource | undefined): string {
  if (source === undefined) return '';
  if (source.kind === 'base64') return source.data.slice(-HASHED_LENGTH);
  return source.kind === 'url' ? source.url : source.id;
}
