/** Other forms of the same images and documents. */
import { isRecord, type JsonRecord } from '../json.ts';
import { textOfBase64 } from '../media.ts';
import { type Simplification, withMessages } from './simplification.ts';

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
    name: 'tool_result:images-beside',
    weight: 'form',
    meant:
      /tool_result\b.{0,120}(?:text|string|image)|(?:only text|image).{0,40}tool_result|tool.{0,20}result.{0,60}(?:image|text)/i,
    apply: (body) => withMessages(body, withImagesBeside),
  },
  {
    name: 'image_url:string',
    weight: 'rest',
    isOnlyAsked: true,
    meant: /image_url\b.{0,120}(?:string|str\b|not an object|dict)/i,
    apply: (body) => withParts(body, withPlainAddress),
  },
];

function withParts(body: JsonRecord, change: (part: JsonRecord) => JsonRecord): JsonRecord | undefined {
  return withMessages(body, (message) => {
    const { content } = message;
    if (!Array.isArray(content)) return message;
    const changed = content.map((part: unknown) => (isRecord(part) ? change(part) : part));
    return changed.every((part, at) => part === content[at]) ? message : { ...message, content: changed };
  });
}

function withoutDetail(part: JsonRecord): JsonRecord {
  if (!isRecord(part.image_url) || !Object.hasOwn(part.image_url, 'detail')) return part;
  const { detail: _, ...image } = part.image_url;
  return { ...part, image_url: image };
}

function withPlainAddress(part: JsonRecord): JsonRecord {
  return isRecord(part.image_url) ? { ...part, image_url: part.image_url.url } : part;
}

const SHOWN_BELOW = { type: 'text', text: 'The tool has returned what follows the results.' };

/** What is no text in the results of tools follows them in the same message. */
function withImagesBeside(message: JsonRecord): JsonRecord {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const beside: unknown[] = [];
  const results = content.map((block: unknown) => {
    if (!isRecord(block) || block.type !== 'tool_result' || !Array.isArray(block.content)) return block;
    const parts: readonly unknown[] = block.content;
    const texts = parts.filter((part) => isRecord(part) && part.type === 'text');
    if (texts.length === parts.length) return block;
    beside.push(...parts.filter((part) => !texts.includes(part)));
    return { ...block, content: texts.length > 0 ? texts : [SHOWN_BELOW] };
  });
  if (beside.length === 0) return message;
  const isResult = (block: unknown) => isRecord(block) && block.type === 'tool_result';
  return {
    ...message,
    content: [...results.filter(isResult), ...beside, ...results.filter((block) => !isResult(block))],
  };
}

/** Only files that are text can be sent as such. */
function withFileAsText(part: JsonRecord): JsonRecord {
  if (part.type !== 'file' || !isRecord(part.file)) return part;
  const { file_data: address, filename } = part.file;
  const [, mediaType = '', data] = /^data:([^;,]*);base64,(.*)$/s.exec(String(address)) ?? [];
  const text = data === undefined ? undefined : textOfBase64(mediaType, data);
  return text === undefined
    ? part
    : { type: 'text', text: typeof filename === 'string' ? `${filename}\n\n${text}` : text };
}
