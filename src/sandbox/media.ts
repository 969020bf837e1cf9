/** Describes the images and documents of a request. */
import type { ChatRequest, DocumentPart, ImagePart, Message } from '../formats/conversation.ts';
import { imageSize } from '../tokens/imageSize.ts';

type MediaPart = ImagePart | DocumentPart;

export function mediaOf({ messages }: ChatRequest): readonly MediaPart[] {
  return messages.flatMap((message) => message.parts.flatMap(mediaIn));
}

function mediaIn(part: Message['parts'][number]): readonly MediaPart[] {
  if (part.type === 'toolResult') return part.content.flatMap(mediaIn);
  return part.type === 'image' || part.type === 'document' ? [part] : [];
}

/** For example, `image/png, 640 × 480 pixels, 12.3 kB`. */
export function describeMedia(media: MediaPart): string {
  const name = media.type === 'document' && media.name !== undefined ? [media.name] : [];
  return [...name, ...describeSource(media)].join(', ');
}

function describeSource({ type, source }: MediaPart): readonly string[] {
  switch (source.kind) {
    case 'url':
      return [`at ${source.url}`];
    case 'file':
      return [`file ${source.id}`];
    case 'text':
      return ['text', bytes(Buffer.byteLength(source.text))];
    case 'base64': {
      const size = type === 'image' ? imageSize(source.data) : undefined;
      const pixels = size === undefined ? [] : [`${size.width} × ${size.height} pixels`];
      return [source.mediaType, ...pixels, bytes(Buffer.byteLength(source.data, 'base64'))];
    }
  }
}

function bytes(count: number): string {
  if (count < 1_000) return `${count} bytes`;
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}
