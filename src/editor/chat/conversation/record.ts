/** The lines of a conversation's file. They are only ever appended, and what they add up to is a `Conversation`. */
import type { FormatName } from '../../../formats/conversation.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { AnswerDelta, AnswerFigures, AnswerTurn, AttachmentView } from '../protocol.ts';

/** Something that goes with a question. Its text is taken when it is attached, so that later edits do not change it. */
export interface Attachment {
  readonly id: string;
  readonly kind: AttachmentView['kind'];
  /** Short name for its chip, such as `session.ts:42–67`. */
  readonly label: string;
  /** Path in the workspace, as it is told to the model. */
  readonly path: string;
  readonly languageId: string;
  /** Empty for an image. */
  readonly text: string;
  readonly tokens?: number;
  /** What its chip says beside its name, such as what was left out. */
  readonly note?: string;
  readonly image?: StoredImage;
}

/** An image is a file beside the conversation's; its bytes are in no record. */
export interface StoredImage {
  /** Name of the file: the digest of its bytes, and its kind. */
  readonly file: string;
  /** Such as `image/png`. */
  readonly mediaType: string;
}

/** How an answer ended. */
export type AnswerEnd = Pick<AnswerTurn, 'status' | 'figures' | 'failure' | 'reasoningMs' | 'refusedBy'>;

/** Where a question or an answer stands in the tree. */
interface Placed {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The entry that it follows, `null` for the beginning. Files from before there were branches have none: the last. */
  readonly parent?: string | null;
}

/** The first line of a file. It carries the title, so that a list needs no more than the head of the file. */
export interface HeaderRecord {
  readonly type: 'conversation';
  readonly version: 1;
  readonly id: string;
  readonly at: number;
  readonly title: string;
  /** The conversation that this one was forked from. */
  readonly from?: string;
  /** Address of the workspace that it was begun in: its file, or its first folder. */
  readonly workspace?: string;
}

export interface QuestionRecord extends Placed {
  readonly type: 'question';
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface AnswerRecord extends Placed {
  readonly type: 'answer';
  readonly model: string;
  readonly format: FormatName;
  readonly sandbox: boolean;
  /** Answers to one question that stand side by side until one of them is kept have the same one. */
  readonly comparison?: string;
  /** The answer of another window that it goes on with, and whose place it takes: an answer has one writer alone. */
  readonly continues?: string;
}

export interface DeltaRecord extends AnswerDelta {
  readonly type: 'delta';
  readonly id: string;
  /** What the answer has used so far; they stay where its end was never written. */
  readonly figures?: AnswerFigures;
}

export type AnswerEndRecord = { readonly type: 'answerEnd'; readonly id: string } & AnswerEnd;

/** A record about one entry that says no more than its id. */
export interface EntryRecord {
  /**
   * - `continued`: an answer that had ended early goes on, in the window that wrote it;
   * - `removed`, `restored`: the entry is left out, or back again; what follows it stays;
   * - `chosen`: the branch through it is the one that shows;
   * - `kept`: it is the answer that was taken of those side by side.
   */
  readonly type: 'continued' | 'removed' | 'restored' | 'chosen' | 'kept';
  readonly id: string;
}

/** What was decided about the conversation as a whole; the last one of a kind holds. */
export type PropertyRecord =
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'pinned'; readonly pinned: boolean }
  | { readonly type: 'parameters'; readonly parameters: Parameters };

export type ConversationRecord =
  | HeaderRecord
  | QuestionRecord
  | AnswerRecord
  | DeltaRecord
  | AnswerEndRecord
  | EntryRecord
  | PropertyRecord;

const KNOWN_TYPES: ReadonlySet<string> = new Set<ConversationRecord['type']>([
  'conversation',
  'question',
  'answer',
  'delta',
  'answerEnd',
  'continued',
  'removed',
  'restored',
  'chosen',
  'kept',
  'title',
  'pinned',
  'parameters',
]);

/** A record together with the window that wrote it; absent in old files. */
export interface WrittenRecord {
  readonly record: ConversationRecord;
  readonly by?: string;
}

export function toLine(record: ConversationRecord, by: string): string {
  return `${JSON.stringify({ ...record, by })}\n`;
}

/** The records of whole lines. Torn lines and those of a later version are passed over. */
export function parseLines(text: string): WrittenRecord[] {
  return text.split('\n').flatMap(parseLine);
}

function parseLine(line: string): WrittenRecord[] {
  if (line === '') return [];
  try {
    const parsed: (ConversationRecord & { readonly by?: string }) | null = JSON.parse(line);
    if (parsed === null || !KNOWN_TYPES.has(parsed.type)) return [];
    const { by, ...record } = parsed;
    return [{ record, ...(by !== undefined && { by }) }];
  } catch {
    // The last line of a file whose writer was killed.
    return [];
  }
}
