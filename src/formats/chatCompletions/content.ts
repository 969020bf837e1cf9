/**
 * Decodes and encodes content parts and reasoning. The text of reasoning is in `reasoning_content`. Data that must be
 * sent back unchanged (a signature, encrypted reasoning) is in `reasoning_details`, a list that other gateways use for
 * the same purpose. Its entries are of type `reasoning.text` {text, signature} or `reasoning.encrypted` {data}; entries
 * of one part share their `index`.
 */
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
import { defined, type JsonObject } from '../json.ts';
import { decodeAddress, defaultName, encodeAddress, imageOrDocument } from '../media.ts';
import {
  isKnownPart,
  type WireContent,
  type WirePart,
  type WireReasoning,
  type WireReasoningDetail,
} from './contentSchema.ts';

type ChatContentPart = UserPart | RefusalPart | ReasoningPart;

/**
 * Decodes the parts in order. Empty text becomes no part, because other formats reject it. Parts that the neutral form
 * does not support, such as audio, are dropped.
 */
export function decodeContent(content: WireContent): ChatContentPart[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap(decodePart);
}

export function isText(part: ChatContentPart): part is TextPart {
  return part.type === 'text';
}

export function isUserPart(part: ChatContentPart): part is UserPart {
  return part.type !== 'refusal' && part.type !== 'reasoning';
}

function decodePart(part: WirePart): ChatContentPart[] {
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
      const filename = name ?? defaultName(source.mediaType);
      return { type: 'file', file: { filename, file_data: encodeAddress(source) } };
    }
  }
}

type DetailsSeal = Omit<ReasoningPart, 'type' | 'text'>;

/** One entry, or adjacent entries of one part. `key` identifies the part; an entry without it matches any part. */
export interface ReasoningPiece {
  readonly key?: number;
  readonly text: string;
  readonly seal?: DetailsSeal;
  readonly details?: readonly JsonObject[];
}

/** Decodes the reasoning of a message or delta. The plain field is used only if the details contain no text. */
export function decodeReasoning(wire: WireReasoning): ReasoningPiece[] {
  const plain = wire.reasoning_content || wire.reasoning || '';
  if (!wire.reasoning_details) return plain === '' ? [] : [{ text: plain }];
  const pieces = joinNeighbours(wire.reasoning_details.map(decodeDetail));
  if (plain === '' || pieces.some(({ text }) => text !== '')) return pieces;
  const [first, ...rest] = pieces;
  return first === undefined ? [{ text: plain }] : [{ ...first, text: plain }, ...rest];
}

function decodeDetail(detail: WireReasoningDetail): ReasoningPiece {
  const { index, id, text, summary, signature, data } = detail;
  const sealed = Boolean(signature || data);
  const seal = defined({ signature: signature || undefined, encrypted: data || undefined, itemId: id ?? undefined });
  return {
    ...defined({ key: index ?? undefined }),
    text: text ?? summary ?? '',
    ...(sealed && { seal }),
    details: [detail as JsonObject],
  };
}

/** The format of details that say nothing about it. */
const UNKNOWN = 'unknown';
const PLAIN: ReadonlySet<string> = new Set(['type', 'index', 'id', 'text', 'signature', 'data']);
const PLAIN_TYPES: ReadonlySet<unknown> = new Set(['reasoning.text', 'reasoning.encrypted']);

/** Returns the details if the neutral form cannot express them. Fragments of one entry are joined. */
export function foreignDetails(details: readonly JsonObject[]): Pick<ReasoningPart, 'details'> {
  const isPlain = (detail: JsonObject): boolean =>
    PLAIN_TYPES.has(detail.type) &&
    Object.entries(detail).every(([name, value]) => PLAIN.has(name) || (value ?? UNKNOWN) === UNKNOWN);
  return details.every(isPlain) ? {} : { details: joinedDetails(details) };
}

const GROWING = ['text', 'summary', 'data'] as const;

function joinedDetails(details: readonly JsonObject[]): readonly JsonObject[] {
  const joined: JsonObject[] = [];
  for (const detail of details) {
    const last = joined.at(-1);
    const continues = last !== undefined && last.type === detail.type && last.index === detail.index;
    if (!continues || typeof detail.index !== 'number') {
      joined.push(detail);
      continue;
    }
    const grown = GROWING.flatMap((name) => {
      const before = last[name];
      const after = detail[name];
      return typeof before === 'string' && typeof after === 'string' ? [[name, before + after]] : [];
    });
    const present = Object.entries(detail).filter(([, value]) => value !== null && value !== undefined);
    joined[joined.length - 1] = { ...last, ...Object.fromEntries(present), ...Object.fromEntries(grown) };
  }
  return joined;
}

function joinNeighbours(pieces: readonly ReasoningPiece[]): ReasoningPiece[] {
  const joined: ReasoningPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last === undefined || last.key === undefined || last.key !== piece.key) {
      joined.push(piece);
      continue;
    }
    const seal = { ...last.seal, ...piece.seal };
    const sealed = Object.keys(seal).length > 0;
    const details = [...(last.details ?? []), ...(piece.details ?? [])];
    joined[joined.length - 1] = { ...last, text: last.text + piece.text, ...(sealed && { seal }), details };
  }
  return joined;
}

export function decodeReasoningParts(wire: WireReasoning): ReasoningPart[] {
  return decodeReasoning(wire)
    .filter(({ text, seal }) => text !== '' || seal !== undefined)
    .map(({ text, seal, details }) => ({ type: 'reasoning', text, ...seal, ...foreignDetails(details ?? []) }));
}

/** Details are written only if there is a signature or encrypted reasoning. */
export function encodeReasoningParts(parts: readonly ReasoningPart[]): WireReasoning {
  const text = parts.map((part) => part.text).join('');
  const sealed = parts.some(({ signature, encrypted, details }) => signature ?? encrypted ?? details);
  return {
    ...(text !== '' && { reasoning_content: text }),
    ...(sealed && {
      reasoning_details: parts.flatMap(encodeDetails),
    }),
  };
}

function encodeDetails(part: ReasoningPart, index: number): readonly WireReasoningDetail[] {
  if (part.details !== undefined) return part.details as readonly WireReasoningDetail[];
  return [...textDetail(part, index), ...encodeSeal(part, index)];
}

function textDetail({ text }: ReasoningPart, index: number): WireReasoningDetail[] {
  return text === '' ? [] : [{ type: 'reasoning.text', text, index }];
}

export function encodeSeal({ signature, encrypted, itemId }: DetailsSeal, index: number): WireReasoningDetail[] {
  const details: WireReasoningDetail[] = [];
  if (signature !== undefined) details.push(defined({ type: 'reasoning.text', signature, index, id: itemId }));
  if (encrypted !== undefined) {
    details.push(defined({ type: 'reasoning.encrypted', data: encrypted, index, id: itemId }));
  }
  return details;
}
