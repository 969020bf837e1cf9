import * as l10n from '@vscode/l10n';
import { defined } from '../../formats/json.ts';
import type { Conversation } from './conversation.ts';
import type { Entry } from './entry.ts';
import type { ConversationRecord } from './record.ts';
import { titleOf } from './title.ts';

/** A new conversation's ID, and the URI of the workspace in which it begins. */
export interface NewConversation {
  readonly id: string;
  readonly workspace: string | undefined;
}

/**
 * Returns the records of a new conversation that is a copy of this one up to a turn, or undefined if the turn does not
 * exist.
 */
export function forkRecords(
  conversation: Conversation,
  turnId: string,
  { id, workspace }: NewConversation,
): ConversationRecord[] | undefined {
  const { entries, comparison, parameters } = conversation;
  const compared = comparison.find((answer) => answer.id === turnId);
  const path: readonly Entry[] = compared === undefined ? entries : [...entries, compared];
  const place = path.findIndex((entry) => entry.id === turnId);
  if (place === -1) return undefined;
  const title = l10n.t('{0} (fork)', titleWithoutMark(conversation));
  const kept = path.slice(0, place + 1);
  return [
    { type: 'conversation', version: 1, id, at: Date.now(), title, from: conversation.id, ...defined({ workspace }) },
    { type: 'parameters', parameters },
    ...asCopies(
      kept.flatMap((entry, index) => recordsOf(entry, kept[index - 1]?.id ?? null, conversation.timeOf(entry.id))),
    ),
  ];
}

/** Marks what the answers in these records have cost as paid for those that they are copies of. */
export function asCopies(records: readonly ConversationRecord[]): ConversationRecord[] {
  return records.map((record) => {
    if (record.type !== 'answerEnd' || record.figures?.cost === undefined) return record;
    return { ...record, figures: { ...record.figures, copiedCost: record.figures.cost } };
  });
}

/** The fork of a fork has the mark once. */
function titleWithoutMark(conversation: Conversation): string {
  const title = titleOf(conversation);
  const mark = l10n.t('{0} (fork)', '');
  return conversation.isFork && title.endsWith(mark) ? title.slice(0, -mark.length) : title;
}

/** The records of one question or answer. `at` is in milliseconds since the epoch. */
export function recordsOf(entry: Entry, parent: string | null, at: number): ConversationRecord[] {
  const { id } = entry;
  if (entry.role === 'user') {
    const { text, shown, attachments } = entry;
    return [{ type: 'question', id, at, parent, text, ...defined({ shown }), attachments }];
  }
  const {
    model,
    format,
    sandbox,
    run,
    isSummary,
    text,
    reasoning,
    refusal,
    toolCalls = [],
    citations = [],
    sealed = [],
  } = entry;
  const { status, figures, failure, reasoningMs, refusedBy } = entry;
  return [
    { type: 'answer', id, at, parent, model, format, sandbox, ...defined({ run, isSummary }) },
    {
      type: 'delta',
      id,
      ...(text !== '' && { text }),
      ...(reasoning !== '' && { reasoning }),
      ...defined({ refusal }),
    },
    ...sealed.map((part): ConversationRecord => ({ type: 'delta', id, sealed: part })),
    ...toolCalls.map((toolCall): ConversationRecord => ({ type: 'delta', id, toolCall })),
    ...citations.map((citation): ConversationRecord => ({ type: 'delta', id, citation })),
    { type: 'answerEnd', id, ...defined({ status, figures, failure, reasoningMs, refusedBy }) },
  ];
}
