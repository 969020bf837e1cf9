import type { MediaSource } from './conversation.ts';
import { mediaOf } from './media.ts';

const SCHEME = 'data:';
const BASE64 = ';base64';
/** In characters. */
const MAX_HEAD = 256;

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
