import { defined } from '../../formats/json.ts';
import type { AnswerTurn, AttachmentView } from '../../pages/chat/protocol.ts';
import type { StoredImage } from '../../rules/answer.ts';
import type { AnswerRecord, Attachment, QuestionRecord } from './record.ts';

/** A question with its content for the model. The panel gets the same without the attachments' texts. */
export interface Question {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
  /** A short sentence that is shown instead of a text that the user did not write. */
  readonly shown?: string;
  readonly attachments: readonly Attachment[];
}

export type Entry = Question | AnswerTurn;

/** Whether an entry has any content. An answer that failed before its first output has none. */
export function isSpoken(entry: Entry): boolean {
  if (entry.text !== '') return true;
  if (entry.role === 'user') return entry.attachments.length > 0;
  return entry.reasoning !== '' || entry.refusal !== undefined || entry.toolCalls !== undefined;
}

/** Whether an answer is a step of the agent. */
export function isStep(entry: Entry | undefined): entry is AnswerTurn & { readonly run: string } {
  return entry?.role === 'assistant' && entry.run !== undefined;
}

/** Whether an answer is a complete summary of what is before it. */
export function isSummary(entry: Entry | undefined): entry is AnswerTurn & { readonly run: string } {
  return isStep(entry) && entry.isSummary === true && entry.status === 'complete' && entry.text !== '';
}

export function hasStep(entries: readonly Entry[]): boolean {
  return entries.some(isStep);
}

export function attachmentsOf(entries: readonly Entry[]): readonly Attachment[] {
  return entries.flatMap((entry) => (entry.role === 'user' ? entry.attachments : []));
}

/** The images of questions, and of the results of calls. */
export function imagesOf(entries: readonly Entry[]): readonly StoredImage[] {
  return entries.flatMap((entry) =>
    entry.role === 'user'
      ? entry.attachments.flatMap(({ image }) => image ?? [])
      : (entry.toolCalls ?? []).flatMap(({ images = [] }) => images),
  );
}

export function toAttachmentView({ id, kind, label, tokens, note, image }: Attachment): AttachmentView {
  return { id, kind, label, ...defined({ tokens, note, picture: image?.file }) };
}

export function toQuestion({ id, text, shown, attachments }: QuestionRecord): Question {
  return { role: 'user', id, text, ...defined({ shown }), attachments };
}

/** Returns the answer as it is before its first output. */
export function startedAnswer({ id, model, format, sandbox, run, isSummary }: AnswerRecord): AnswerTurn {
  const started: AnswerTurn = {
    role: 'assistant',
    id,
    model,
    format,
    sandbox,
    reasoning: '',
    text: '',
    status: 'waiting',
  };
  return { ...started, ...defined({ run, isSummary }) };
}
