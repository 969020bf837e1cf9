/** Parts that a request must not lose, because without them it would be a different request. */
import type { ApiError } from '../../formats/apiError.ts';
import type { ChatRequest, DocumentPart, FormatName, Message } from '../../formats/conversation.ts';
import { textOfBase64 } from '../../formats/media.ts';
import { CONTINUED_THREAD, LOST_THREAD } from '../../formats/messages/index.ts';

const SEALED_SUMMARY = 'a summary of the conversation that only the service that wrote it can read';

const ESSENTIAL: Readonly<Record<string, string>> = {
  conversation: 'a conversation that is stored elsewhere',
  prompt: 'a prompt that is stored elsewhere',
  background: 'an answer in the background',
  item_reference: 'an item of an earlier answer that is no longer stored here',
  input_audio: 'sound',
  audio: 'sound',
  audio_url: 'sound',
  input_text: 'a part of a message that cannot be read',
  input_image: 'an image that cannot be read',
  input_file: 'a file that cannot be read',
  image: 'an image that cannot be read',
  input_video: 'a video',
  video: 'a video',
  video_url: 'a video',
};

/** Items of the responses format. In the messages format, a block of the same name contains plain text. */
const ESSENTIAL_ITEMS: Readonly<Record<string, string>> = {
  compaction: SEALED_SUMMARY,
  compaction_summary: SEALED_SUMMARY,
};

const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const PDF = 'application/pdf';

/**
 * Returns the refusal of a request with bytes of a type that services of the messages format do not read. They would
 * refuse it, too, but without a word about the other upstreams of a route.
 */
export function refusalOfFiles(messages: readonly Message[]): ApiError | undefined {
  for (const { parts } of messages) {
    for (const part of parts) {
      const refused = unreadType(part.type === 'toolResult' ? part.content : [part]);
      if (refused !== undefined) return refusalOfType(refused);
    }
  }
  return undefined;
}

function unreadType(parts: readonly { readonly type: string; readonly source?: DocumentPart['source'] }[]) {
  for (const { type, source } of parts) {
    if (source?.kind !== 'base64') continue;
    const { mediaType, data } = source;
    const isRead = type === 'image' ? IMAGES.has(mediaType) : mediaType === PDF;
    if (!isRead && textOfBase64(mediaType, data) === undefined) return mediaType;
  }
  return undefined;
}

function refusalOfType(mediaType: string): ApiError {
  return {
    kind: 'invalidRequest',
    status: 400,
    code: 'unsupported_file',
    message: `The request has a file of the type "${mediaType}", which the upstream of this model cannot read. Send text, a PDF, or an image as JPEG, PNG, GIF, or WebP.`,
  };
}

/**
 * Returns the refusal of a request that would lose one of these parts.
 */
export function refusalOfEssentials(
  { dropped: names = [], unread = [] }: Pick<ChatRequest, 'dropped' | 'unread'>,
  caller: FormatName,
): ApiError | undefined {
  if (names.includes(CONTINUED_THREAD)) return LOST_THREAD;
  const essential = caller === 'responses' ? { ...ESSENTIAL, ...ESSENTIAL_ITEMS } : ESSENTIAL;
  const name = names.find((each) => Object.hasOwn(essential, each)) ?? unread[0];
  if (name === undefined) return undefined;
  const what = essential[name] ?? 'a part of a message in an unknown form';
  return {
    kind: 'invalidRequest',
    status: 400,
    code: 'unsupported_parameter',
    param: name,
    message: `The request needs "${name}", ${what}, which the upstream of this model does not support. Send the request without it or to another model.`,
  };
}
