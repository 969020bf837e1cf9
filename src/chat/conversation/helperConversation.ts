import type { Conversation } from './conversation.ts';
import { LiveConversation, type RecordStore } from './liveConversation.ts';

/** The conversation of a helper of the agent, whose records are written to the file of the chat. */
export function helperConversation(chat: LiveConversation, id: string, writer: string): LiveConversation {
  const conversation: Conversation = chat.value.helper(id);
  const answers = conversation.all.filter(({ role }) => role === 'assistant');
  const store: RecordStore = {
    writer,
    workspace: undefined,
    append: async (_, records) => chat.write(...records.map((record) => ({ type: 'helper' as const, id, record }))),
    touch: async () => chat.touch(),
    whenWritten: async () => undefined,
    // Only the window that works on a run has helpers.
    readFrom: async () => undefined,
    isAlive: async () => true,
  };
  const own = answers.map((answer) => answer.id);
  return new LiveConversation({ conversation, end: 0, elsewhere: [], own }, store, () => undefined);
}
