import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { imageSize } from '../../tokens/imageSize.ts';
import { byArea } from '../../tokens/imageTokens.ts';
import type { ConversationImages } from '../conversation/conversationImages.ts';
import type { Attachment } from '../conversation/record.ts';
import { refuseLarge } from './fileSize.ts';

export interface ImageFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Detects an image's type by its first bytes, because names and senders may be wrong. Undefined for other files. */
export function imageType(bytes: Uint8Array): string | undefined {
  const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1');
  if (text(0, 4) === '\x89PNG') return 'image/png';
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (text(0, 4) === 'GIF8') return 'image/gif';
  return text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP' ? 'image/webp' : undefined;
}

/** @throws if the image is too large, or is not PNG, JPEG, WebP, or GIF. */
export function attachImage({ name, bytes }: ImageFile, images: ConversationImages): Attachment {
  refuseLarge(name, bytes.length);
  const mediaType = imageType(bytes);
  if (mediaType === undefined)
    throw new Error(l10n.t('{0} is not in an image format that models accept: PNG, JPEG, WebP, or GIF.', name));
  const data = Buffer.from(bytes).toString('base64');
  const size = imageSize(data);
  return {
    id: randomUUID(),
    kind: 'image',
    label: name,
    path: name,
    languageId: '',
    text: '',
    tokens: byArea({ type: 'image', source: { kind: 'base64', mediaType, data } }),
    image: images.hold(data, mediaType),
    ...(size !== undefined && { note: l10n.t('{0} by {1} pixels', size.width, size.height) }),
  };
}
