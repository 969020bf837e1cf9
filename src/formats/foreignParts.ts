/** Parts of content in the forms of all formats, because clients of one format also send those of others. */
import type { DocumentPart, ImagePart, MediaSource, TextPart } from './conversation.ts';
import { defined, isRecord, type JsonRecord } from './json.ts';
import { decodeAddress, imageOrDocument, mediaOf } from './media.ts';

type ForeignPart = TextPart | ImagePart | DocumentPart;
type Read = (part: JsonRecord) => ForeignPart | undefined;

/** By the types of the parts, in all formats. */
const READERS: Readonly<Record<string, Read>> = {
  text: textOf,
  input_text: textOf,
  output_text: textOf,
  image_url: ({ image_url: image }) => imageOf(addressIn(image), detailOf(image)),
  input_image: ({ image_url: image, file_id: id, detail }) =>
    imageOf(addressIn(image) ?? fileOf(id), typeof detail === 'string' ? detail : undefined),
  image: ({ source, image_url: image }) => imageOf(sourceIn(source) ?? addressIn(image), undefined),
  file: ({ file }) => (isRecord(file) ? documentOf(file) : undefined),
  input_file: documentOf,
  document: ({ source, title }) => namedDocument(sourceIn(source), title),
};

/** Whether a part can be read in the form of one of the formats. */
export function isForeignPart(part: { readonly type?: unknown }): boolean {
  return readForeignPart(part).length > 0;
}

/** Reads a part in the form of any format. Empty if no format has such parts. */
export function readForeignPart(part: { readonly type?: unknown }): ForeignPart[] {
  const { type } = part;
  const read =
    typeof type === 'string' && Object.hasOwn(READERS, type) ? READERS[type]?.(part as JsonRecord) : undefined;
  return read === undefined ? [] : [read];
}

function textOf({ text }: JsonRecord): TextPart | undefined {
  return typeof text === 'string' ? { type: 'text', text } : undefined;
}

function imageOf(source: MediaSource | undefined, detail: string | undefined): ForeignPart | undefined {
  return source && imageOrDocument(source, defined({ detail }));
}

function documentOf({ file_data: data, file_url: url, file_id: id, filename }: JsonRecord): DocumentPart | undefined {
  return namedDocument(addressIn(data ?? url) ?? fileOf(id), filename);
}

function namedDocument(source: DocumentPart['source'] | undefined, name: unknown): DocumentPart | undefined {
  return source && { type: 'document', source, ...(typeof name === 'string' && { name }) };
}

function detailOf(image: unknown): string | undefined {
  return isRecord(image) && typeof image.detail === 'string' ? image.detail : undefined;
}

function fileOf(id: unknown): MediaSource | undefined {
  return typeof id === 'string' ? { kind: 'file', id } : undefined;
}

/** @param value the address, or an object with it. */
function addressIn(value: unknown): MediaSource | undefined {
  const address = isRecord(value) ? value.url : value;
  if (typeof address !== 'string' || address === '') return undefined;
  return decodeAddress(address);
}

/** Reads the source of an image or document in the messages format. */
function sourceIn(source: unknown): MediaSource | undefined {
  if (!isRecord(source)) return undefined;
  const { type, media_type: mediaType, data, url, file_id: id } = source;
  if (type === 'base64' && typeof data === 'string') return mediaOf(String(mediaType ?? ''), data);
  return typeof url === 'string' ? { kind: 'url', url } : fileOf(id);
}
