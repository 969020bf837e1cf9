import { type Conversation, costOf, messageCountOf } from '../conversation/conversation.ts';
import type { Entry } from '../conversation/entry.ts';
import { titleOf } from '../conversation/title.ts';
import type { HistoryRow } from '../protocol.ts';

/** What the list shows of a conversation, without what a search finds in it, and where it was begun. */
export interface Summary extends Omit<HistoryRow, 'excerpt'> {
  /** Address of the workspace. */
  readonly workspace?: string;
}

/** @returns undefined for a file without a conversation in it. */
export function summaryOf(conversation: Conversation): Summary | undefined {
  if (conversation.title === undefined || conversation.isEmpty) return undefined;
  const model = conversation.all.findLast((entry) => entry.role === 'assistant')?.model;
  const { workspace } = conversation;
  return {
    id: conversation.id,
    title: titleOf(conversation),
    messages: messageCountOf(conversation),
    changedAt: conversation.changedAt,
    pinned: conversation.isPinned,
    ...(model !== undefined && { model }),
    ...costOf(conversation),
    ...(workspace !== undefined && { workspace }),
  };
}

/** All that was said, in all branches, for the search. */
export function textOf(conversation: Conversation): string {
  return conversation.all.flatMap((entry) => [entry.text, ...refusalOf(entry)]).join('\n');
}

function refusalOf(entry: Entry): readonly string[] {
  return entry.role === 'assistant' && entry.refusal !== undefined ? [entry.refusal] : [];
}
