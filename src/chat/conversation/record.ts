/** The lines of a conversation's file. They are only appended. A `Conversation` is the result of applying them. */
import type { FormatName } from '../../formats/conversation.ts';
import type {
  AnswerDelta,
  AnswerFigures,
  AnswerTurn,
  AttachmentView,
  LoopView,
  PlanItem,
  SandboxSwitch,
  ToolCallView,
} from '../../pages/chat/protocol.ts';
import type { StoredImage } from '../../rules/answer.ts';
import type { Parameters } from './parameters.ts';

/** An attachment of a question. Its text is read when it is attached, so that later edits do not change it. */
export interface Attachment {
  readonly id: string;
  readonly kind: AttachmentView['kind'];
  /** The short name on its chip, such as `session.ts:42–67`. */
  readonly label: string;
  /** The workspace path, as the model gets it. */
  readonly path: string;
  readonly languageId: string;
  /** Empty for an image. */
  readonly text: string;
  readonly tokens?: number;
  /** A note on its chip, such as what was omitted. */
  readonly note?: string;
  readonly image?: StoredImage;
}

/** The result of an answer. */
export type AnswerEnd = Pick<AnswerTurn, 'status' | 'figures' | 'failure' | 'reasoningMs' | 'refusedBy'>;

/** The place of a question or an answer in the tree. */
interface Placed {
  readonly id: string;
  /** In milliseconds since the epoch. */
  readonly at: number;
  /**
   * The ID of the previous entry, or `null` at the beginning. Undefined in files from versions without branches, where
   * it is the last entry.
   */
  readonly parent?: string | null;
}

/** The first line of a file. It contains the title, so that a list needs to read only the head of the file. */
export interface HeaderRecord {
  readonly type: 'conversation';
  readonly version: 1;
  readonly id: string;
  readonly at: number;
  readonly title: string;
  /** The conversation that this one was forked from. */
  readonly from?: string;
  /** The URI of the workspace in which it was started: its file, or its first folder. */
  readonly workspace?: string;
}

export interface QuestionRecord extends Placed {
  readonly type: 'question';
  readonly text: string;
  readonly shown?: string;
  readonly attachments: readonly Attachment[];
}

export interface AnswerRecord extends Placed {
  readonly type: 'answer';
  readonly model: string;
  readonly format: FormatName;
  readonly sandbox: boolean;
  /** Shared by the answers to one question that are shown side by side until one of them is kept. */
  readonly comparison?: string;
  /** Set for a step of the agent: the ID of the question that its run answers. */
  readonly run?: string;
  /** Set for a step that sums up what was sent with it, and is sent instead of that from then on. */
  readonly isSummary?: true;
  /** The answer of another window that this one continues and replaces. Each answer has only one writer. */
  readonly continues?: string;
}

export interface DeltaRecord extends AnswerDelta {
  readonly type: 'delta';
  readonly id: string;
  /** The answer's figures so far. They remain if its end is never written. */
  readonly figures?: AnswerFigures;
}

export type AnswerEndRecord = { readonly type: 'answerEnd'; readonly id: string } & AnswerEnd;

/** What became of a tool call of the answer. The last record of each call applies. */
export interface ToolCallRecord {
  readonly type: 'toolCall';
  readonly id: string;
  readonly call: ToolCallView;
}

/** The user has changed the text of a summary. */
export interface EditedRecord {
  readonly type: 'edited';
  readonly id: string;
  readonly text: string;
}

/** Properties of the agent's run that answers the question with this ID. The last value of each applies. */
export interface RunRecord extends RunProperties {
  readonly type: 'run';
  readonly id: string;
}

export interface RunProperties {
  /** In US dollars; 0 for none. */
  readonly cap?: number;
  readonly stepCap?: number;
  readonly maxSteps?: number;
  readonly plan?: readonly PlanItem[];
  /** The model that writes summaries; empty for the chat's model. */
  readonly summaryModel?: string;
  /** How it ended. `running` when it begins or continues. */
  readonly state?: 'running' | 'stopped' | 'done';
  /** Why it stopped by itself; `null` once it continues. */
  readonly loop?: LoopView | null;
  /** Which switch of the sandbox has stopped it; `null` once it continues. */
  readonly sandbox?: SandboxSwitch | null;
  /** How long it worked, in milliseconds. */
  readonly activeMs?: number;
  /** What kind of helper it is: the name of a role. */
  readonly role?: string;
  /** Why a helper was stopped: the rest of its budget pays no further step, it has a fault, or the user did. */
  readonly reason?: 'budget' | 'failure' | 'user';
  /** The fault of a helper that none of its steps shows, in the user's language. */
  readonly fault?: string;
}

/** A record of what a helper of the agent does, which has a conversation of its own within this one. */
export interface HelperRecord {
  readonly type: 'helper';
  readonly id: string;
  readonly record: ConversationRecord;
}

/** A record about one entry with no content except its ID. */
export interface EntryRecord {
  /**
   * - `continued`: an answer that ended early is continued in the window that wrote it.
   * - `removed`, `restored`: the entry is hidden or shown again; the entries after it stay.
   * - `chosen`: the branch through the entry is shown.
   * - `kept`: the answer was chosen among those side by side.
   */
  readonly type: 'continued' | 'removed' | 'restored' | 'chosen' | 'kept';
  readonly id: string;
}

/** The model that wrote a title, and what that cost in US dollars, if its price is known. */
export interface TitleWriter {
  readonly model: string;
  readonly cost?: number;
}

/** A property of the whole conversation. The last record of each type applies. */
export type PropertyRecord =
  | { readonly type: 'title'; readonly title: string; readonly writer?: TitleWriter }
  | { readonly type: 'pinned'; readonly pinned: boolean }
  | { readonly type: 'parameters'; readonly parameters: Parameters };

export type ConversationRecord =
  | HeaderRecord
  | QuestionRecord
  | AnswerRecord
  | DeltaRecord
  | AnswerEndRecord
  | ToolCallRecord
  | EditedRecord
  | RunRecord
  | HelperRecord
  | EntryRecord
  | PropertyRecord;

const KNOWN_TYPES: ReadonlySet<string> = new Set<ConversationRecord['type']>([
  'conversation',
  'question',
  'answer',
  'delta',
  'answerEnd',
  'toolCall',
  'edited',
  'run',
  'helper',
  'continued',
  'removed',
  'restored',
  'chosen',
  'kept',
  'title',
  'pinned',
  'parameters',
]);

/** A record and the window that wrote it, which is undefined in old files. */
export interface WrittenRecord {
  readonly record: ConversationRecord;
  readonly by?: string;
}

export function toLine(record: ConversationRecord, by: string): string {
  return `${JSON.stringify({ ...record, by })}\n`;
}

/**
 * The records of complete lines. Records of later versions are skipped.
 * @param onDamaged called for each line that is not JSON, such as the last one of a writer that was killed.
 */
export function parseLines(text: string, onDamaged: () => void): WrittenRecord[] {
  return text.split('\n').flatMap((line) => parseLine(line, onDamaged));
}

function parseLine(line: string, onDamaged: () => void): WrittenRecord[] {
  if (line === '') return [];
  try {
    const parsed: (ConversationRecord & { readonly by?: string }) | null = JSON.parse(line);
    if (parsed === null || !KNOWN_TYPES.has(parsed.type)) return [];
    const { by, ...record } = parsed;
    return [{ record, ...(by !== undefined && { by }) }];
  } catch {
    onDamaged();
    return [];
  }
}
