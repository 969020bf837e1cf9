import { randomUUID } from 'node:crypto';
import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import { imagesOf } from '../../chat/conversation/entry.ts';
import { forkRecords } from '../../chat/conversation/fork.ts';
import type { ChatParts } from './chatParts.ts';

/**
 * Copies a chat up to and including this turn.
 * @returns the ID of the copy; undefined if the turn is not in the chat.
 */
export async function forkChat(
  { conversation, images }: Pick<ChatParts, 'conversation' | 'images'>,
  turnId: string,
  store: ConversationStore,
): Promise<string | undefined> {
  const id = randomUUID();
  const records = forkRecords(conversation.value, turnId, { id, workspace: store.workspace });
  if (records === undefined) return undefined;
  await images.load(conversation.id, conversation.value.all);
  await images.keep(id, imagesOf(conversation.value.all));
  await store.append(id, records);
  return id;
}
