/** Other forms of the same images and documents. */
import { isRecord } from '../json.ts';
import { textOfBase64 } from '../media.ts';
import { type JsonObject, type Simplification, withMessages } from './simplification.ts';

export const MEDIA_FORMS: readonly Simplification[] = [
  {
    name: 'image_url.detail',
    weight: 'extra',
    lost: 'detail',
    meant:
      /\bdetail\b.{0,80}(?:not|unknown|unexpected|unsupported|extra|invalid)|(?:unknown|unexpected|unsupported|extra|invalid)\b.{0,40}\bdetail\b/i,
    apply: (body) => withParts(body, withoutDetail),
  },
  {
    name: 'file:text',
    weight: 'form',
    meant: /(?:type|part|content|variant|input).{0,60}[`'"]?(?:file|input_file|document)[`'"]?\b.{0,80}/i,
    apply: (body) => withParts(body, withFileAsText),
  },
  {
    name: 'image_url:string',
    weight: 'rest',
    isOnlyAsked: true,
    meant: /image_url\b.{0,120}(?:string|str\b|not an object|dict)/i,
    apply: (body) => withParts(body, withPlainAddress),
  },
];

function withParts(body: JsonObject, change: (part: JsonObject) => JsonObject): JsonObject | undefined {
  return withMessages(body, (message) => {
    const { content } = message;
    if (!Array.isArray(content)) return message;
    const changed = content.map((part: unknown) => (isRecord(part) ? change(part) : part));
    return changed.every((part, at) => part === content[at]) ? message : { ...message, content: changed };
  });
}

function withoutDetail(part: JsonObject): JsonObject {
  if (!isRecord(part.image_url) || !Object.hasOwn(part.image_url, 'detail')) return part;
  const { detail: _, ...image } = part.image_url;
  return { ...part, image_url: image };
}

function withPlainAddress(part: JsonObject): JsonObject {
  return isRecord(part.image_url) ? { ...part, image_url: part.image_url.url } : part;
}

/** Only files that are text can be sent as such. */
function withFileAsText(part: JsonObject): JsonObject {
  if (part.type !== 'file' || !isRecord(part.file)) return part;
  const { file_data: address, filename } = part.file;
  const [, mediaType = '', data] = /^data:([^;,]*);base64,(.*)$/s.exec(String(address)) ?? [];
  const text = data === undefined ? undefined : textOfBase64(mediaType, data);
  return text === undefined
    ? part
    : { type: 'text', text: typeof filename === 'string' ? `${filename}\n\n${text}` : text };
}
