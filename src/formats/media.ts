/** Images and documents, which clients write in several ways and services accept in one. */
import type { DocumentPart, ImagePart, MediaSource } from './conversation.ts';

const PDF = 'application/pdf';
const USUAL: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'application/x-pdf': PDF,
};

/** The beginnings of files in base64. Services refuse a type that is not that of the bytes. */
const BEGINNINGS: readonly (readonly [beginning: string, mediaType: string])[] = [
  ['iVBORw0KGg', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi', PDF],
];

/** Returns bytes with the usual name of their type, which is that of the bytes if they are known. */
export function mediaOf(mediaType: string, data: string): MediaSource {
  const name = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isAudio = name.startsWith('audio/');
  const ofBytes = isAudio ? undefined : BEGINNINGS.find(([beginning]) => data.startsWith(beginning))?.[1];
  return { kind: 'base64', mediaType: ofBytes ?? USUAL[name] ?? name, data };
}

/** Returns the image, or the document if a client has sent a document as an image. */
export function imageOrDocument(
  source: MediaSource,
  details: Pick<ImagePart, 'detail' | 'cacheHint'>,
): ImagePart | DocumentPart {
  const isDocument = source.kind === 'base64' && source.mediaType === PDF;
  if (!isDocument) return { type: 'image', source, ...details };
  const { cacheHint } = details;
  return { type: 'document', source, ...(cacheHint !== undefined && { cacheHint }) };
}

const SCHEME = 'data:';
const BASE64 = ';base64';
/** In characters. */
const MAX_HEAD = 256;

export function encodeAddress(source: Exclude<MediaSource, { kind: 'file' }>): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
}

/**
 * Returns a name for bytes without one: services reject them, because they derive the type from the name's extension.
 */
export function defaultName(mediaType: string): string {
  return mediaType === 'application/pdf' ? 'document.pdf' : 'document';
}

/**
 * Returns the bytes of a `data:` URL, or any other URL as it is. Only its head is searched, because it may be megabytes
 * long.
 */
export function decodeAddress(url: string): MediaSource {
  if (url.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return { kind: 'url', url };
  const comma = url.slice(0, MAX_HEAD).indexOf(',');
  if (comma === -1) return { kind: 'url', url };
  const head = url.slice(SCHEME.length, comma);
  const data = url.slice(comma + 1);
  const isBase64 = head.toLowerCase().endsWith(BASE64);
  const mediaType = (isBase64 ? head.slice(0, -BASE64.length) : head) || 'text/plain';
  if (isBase64) return mediaOf(mediaType, data);
  const encoded = percentDecoded(data);
  return encoded === undefined ? { kind: 'url', url } : mediaOf(mediaType, encoded);
}

/** Returns percent-encoded bytes in base64, or undefined if they are not valid. */
function percentDecoded(data: string): string | undefined {
  try {
    const bytes = new TextEncoder().encode(decodeURIComponent(data));
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const TEXT_TYPES =
  /^text\/|[/+](?:json|xml|yaml|ndjson|jsonl|toml|javascript|typescript|ecmascript|sql|x-sh|x-yaml|x-toml|x-ndjson|x-httpd-php|x-python|csv|graphql|rtf|markdown)$|^image\/svg\+xml$/;
/** Types of clients that do not know the type. */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set(['', 'application/octet-stream']);

export function textOfBase64(mediaType: string, data: string): string | undefined {
  if (!TEXT_TYPES.test(mediaType) && !UNKNOWN_TYPES.has(mediaType)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: !mediaType.startsWith('text/') }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch (error) {
    // The bytes are neither base64 nor UTF-8.
    if (error instanceof DOMException || error instanceof TypeError) return undefined;
    throw error;
  }
}
