/** What is kept of a conversation: a list of records in the order in which things happened, and what they add up to. */
import type { FormatName } from '../../formats/conversation.ts';
import type { AnswerTurn, AttachmentView, Turn, UserTurn } from './protocol.ts';

/** Something that goes with a question. Its text is taken when it is attached, so that later edits do not change it. */
export interface Attachment {
  readonly id: string;
  readonly kind: AttachmentView['kind'];
  /** Short name for its chip, such as `session.ts:42–67`. */
  readonly label: string;
  /** Path in the workspace, as it is told to the model. */
  readonly path: string;
  readonly languageId: string;
  readonly text: string;
  readonly tokens?: number;
}

/** One line of a conversation's file. `at` is in milliseconds since the epoch. */
export type ConversationRecord =
  /** The first line. It carries the title, so that a list needs no more than the head of the file. */
  | {
      readonly type: 'conversation';
      readonly version: 1;
      readonly id: string;
      readonly at: number;
      readonly title: string;
    }
  | {
      readonly type: 'question';
      readonly id: string;
      readonly at: number;
      readonly text: string;
      readonly attachments: readonly Attachment[];
    }
  | {
      readonly type: 'answer';
      readonly id: string;
      readonly at: number;
      readonly model: string;
      readonly format: FormatName;
      readonly sandbox: boolean;
    }
  | { readonly type: 'delta'; readonly id: string; readonly text?: string; readonly reasoning?: string }
  | ({ readonly type: 'answerEnd'; readonly id: string } & AnswerEnd)
  | { readonly type: 'removed'; readonly id: string };

/** How an answer ended. */
export type AnswerEnd = Pick<AnswerTurn, 'status' | 'figures' | 'failure' | 'reasoningMs'>;

/** A question with what the model is told of it; the panel sees the same without the attachments' texts. */
export interface Question {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export type Entry = Question | AnswerTurn;

export interface Conversation {
  readonly id: string;
  /** Absent until the first question. */
  readonly title?: string;
  readonly entries: readonly Entry[];
}

export function emptyConversation(id: string): Conversation {
  return { id, entries: [] };
}

/** The conversation after one more record. Records of turns that are not there change nothing. */
export function applyRecord(conversation: Conversation, record: ConversationRecord): Conversation {
  const { entries } = conversation;
  switch (record.type) {
    case 'conversation':
      return { ...conversation, id: record.id, title: record.title };
    case 'question': {
      const { id, text, attachments } = record;
      return { ...conversation, entries: [...entries, { role: 'user', id, text, attachments }] };
    }
    case 'answer':
      return { ...conversation, entries: [...entries, startedAnswer(record)] };
    case 'delta':
      return changeAnswer(conversation, record.id, (answer) => ({
        ...answer,
        status: 'streaming',
        text: answer.text + (record.text ?? ''),
        reasoning: answer.reasoning + (record.reasoning ?? ''),
      }));
    case 'answerEnd': {
      const { type: _, id, ...end } = record;
      return changeAnswer(conversation, id, (answer) => ({ ...answer, ...end }));
    }
    case 'removed':
      return { ...conversation, entries: entries.filter((entry) => entry.id !== record.id) };
  }
}

function startedAnswer({ id, model, format, sandbox }: ConversationRecord & { type: 'answer' }): AnswerTurn {
  return { role: 'assistant', id, model, format, sandbox, reasoning: '', text: '', status: 'waiting' };
}

function changeAnswer(
  conversation: Conversation,
  id: string,
  change: (answer: AnswerTurn) => AnswerTurn,
): Conversation {
  const entries = conversation.entries.map((entry) =>
    entry.role === 'assistant' && entry.id === id ? change(entry) : entry,
  );
  return { ...conversation, entries };
}

/** An answer without an end belongs to a window that closed or died while it came: it counts as stopped. */
export function settleUnfinished(conversation: Conversation): Conversation {
  const entries = conversation.entries.map((entry) =>
    entry.role === 'assistant' && (entry.status === 'waiting' || entry.status === 'streaming')
      ? { ...entry, status: 'stopped' as const }
      : entry,
  );
  return { ...conversation, entries };
}

const TITLE_LENGTH = 60;

/** The first line of the first question. */
export function titleOf(conversation: Conversation): string {
  if (conversation.title !== undefined) return conversation.title;
  const first = conversation.entries.find((entry) => entry.role === 'user');
  if (first === undefined) return 'New conversation';
  const line = first.text.trim().split('\n', 1)[0] ?? '';
  if (line === '') return first.attachments[0]?.label ?? 'New conversation';
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1).trimEnd()}…` : line;
}

/** What all answers cost together, in US dollars; `undefined` when no price of any of them is known. */
export function costOf(conversation: Conversation): number | undefined {
  const costs = conversation.entries.flatMap((entry) =>
    entry.role === 'assistant' && entry.figures?.cost !== undefined ? [entry.figures.cost] : [],
  );
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}

export function toTurn(entry: Entry): Turn {
  return entry.role === 'assistant' ? entry : toUserTurn(entry);
}

function toUserTurn({ id, text, attachments }: Question): UserTurn {
  return { role: 'user', id, text, attachments: attachments.map(toAttachmentView) };
}

export function toAttachmentView({ id, kind, label, tokens }: Attachment): AttachmentView {
  return { id, kind, label, ...(tokens !== undefined && { tokens }) };
}
