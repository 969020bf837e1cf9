import type { HistoryRow } from '../../pages/chat/protocol.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { costOf } from '../conversation/conversationCost.ts';
import { type Entry, isSpoken } from '../conversation/entry.ts';
import { titleOf } from '../conversation/title.ts';

/** The list's data of a conversation, with its workspace and without a search excerpt. */
export interface ConversationSummary extends Omit<HistoryRow, 'excerpt'> {
  /** The workspace's URI. */
  readonly workspace?: string;
}

/** Returns undefined for a file without a conversation. */
export function summaryOf(conversation: Conversation): ConversationSummary | undefined {
  const spent = costOf(conversation);
  if (conversation.isNew || (conversation.isEmpty && spent.cost === undefined)) return undefined;
  const model = conversation.withRemoved.findLast((entry) => entry.role === 'assistant')?.model;
  const { workspace } = conversation;
  return {
    id: conversation.id,
    title: titleOf(conversation),
    messages: conversation.entries.filter(isSpoken).length,
    changedAt: conversation.changedAt,
    pinned: conversation.isPinned,
    ...(conversation.isFork && { isFork: true }),
    ...(model !== undefined && { model }),
    ...spent,
    ...(workspace !== undefined && { workspace }),
  };
}

/** The text of all branches, for the search. */
export function textOf(conversation: Conversation): string {
  return conversation.all.flatMap((entry) => [entry.text, ...refusalOf(entry)]).join('\n');
}

function refusalOf(entry: Entry): readonly string[] {
  return entry.role === 'assistant' && entry.refusal !== undefined ? [entry.refusal] : [];
}
