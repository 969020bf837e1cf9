import type { ChatRequest, ImagePart, Message, TextPart } from '../../formats/conversation.ts';
import { defined } from '../../formats/defined.ts';
import type { Entry, Question } from './conversation/entry.ts';
import type { Attachment } from './conversation/record.ts';
import type { ParameterValues } from './protocol.ts';

export interface RequestSettings extends ParameterValues {
  readonly model: string;
  readonly systemPrompt: string;
  readonly maxTokens: number;
}

/** Gives the bytes of an image as base64, by the name of its file; undefined when it is not there any more. */
export type ImageLookup = (file: string) => string | undefined;

/** The request that the next answer needs: system prompt, then all that was said. */
export function buildRequest(entries: readonly Entry[], settings: RequestSettings, images: ImageLookup): ChatRequest {
  const { model, systemPrompt, maxTokens, temperature, reasoningEffort, stopSequences = [] } = settings;
  return defined({
    model,
    system: systemPrompt === '' ? [] : [textPart(systemPrompt)],
    messages: entries.flatMap((entry) => toMessage(entry, images)),
    maxTokens,
    temperature,
    reasoning: reasoningEffort === undefined ? undefined : { effort: reasoningEffort },
    stopSequences: stopSequences.length === 0 ? undefined : stopSequences,
    stream: true,
    includeUsage: true,
  });
}

/** An answer that never got any text has nothing to say in the next request. */
function toMessage(entry: Entry, images: ImageLookup): Message[] {
  if (entry.role === 'user') return [{ role: 'user', parts: questionParts(entry, images) }];
  return entry.text === '' ? [] : [{ role: 'assistant', parts: [textPart(entry.text)] }];
}

/** Attachments first, as the question refers to them. */
export function questionParts(
  { text, attachments }: Pick<Question, 'text' | 'attachments'>,
  images: ImageLookup,
): (TextPart | ImagePart)[] {
  const question = text === '' ? [] : [textPart(text)];
  return [...attachments.map((attachment) => attachmentPart(attachment, images)), ...question];
}

function attachmentPart(attachment: Attachment, images: ImageLookup): TextPart | ImagePart {
  const { image, label } = attachment;
  if (image === undefined) return textPart(describeAttachment(attachment));
  const data = images(image.file);
  if (data === undefined) return textPart(`[The image ${label} is not there any more.]`);
  return { type: 'image', source: { kind: 'base64', mediaType: image.mediaType, data } };
}

/** A heading and a code block whose fence is longer than any inside. */
export function describeAttachment(attachment: Attachment): string {
  const { languageId, text } = attachment;
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${headingOf(attachment)}:\n${fence}${languageId}\n${text}\n${fence}`;
}

function headingOf({ kind, label, path }: Attachment): string {
  switch (kind) {
    case 'selection':
      return `Selection from ${path} (${label})`;
    case 'folder':
      return `Folder ${path}, the list of its files and then what is in them`;
    case 'problems':
      return `Problems that the editor reports in ${path}`;
    case 'diff':
      return `Git changes (${path})`;
    case 'terminal':
      return `Output of the terminal “${path}”`;
    default:
      return `File ${path}`;
  }
}

function textPart(text: string): TextPart {
  return { type: 'text', text };
}
