/**
 * A process to be killed: it receives an answer word by word without an end, and writes it to a conversation's file
 * with the extension's own code. Each word is reported on standard output when it has arrived, with the time, before it
 * is processed.
 *
 *     node test/support/talkingWriter.ts FOLDER CONVERSATION
 */
import { writeSync } from 'node:fs';
import { AnswerWriter } from '../../src/editor/chat/answers/answerWriter.ts';
import { Conversation } from '../../src/editor/chat/conversation/conversation.ts';
import { ConversationStore } from '../../src/editor/chat/conversation/conversationStore.ts';
import { LiveConversation } from '../../src/editor/chat/conversation/liveConversation.ts';

const WORD_MS = 5;

/** The report of the process: how many words have arrived, and when, in milliseconds since the epoch. */
export interface Heard {
  readonly words: number;
  readonly at: number;
}

export function wordAt(index: number): string {
  return `word${index} `;
}

if (import.meta.main) talk(process.argv[2] ?? '', process.argv[3] ?? '');

function talk(folder: string, id: string): void {
  const begun = { conversation: new Conversation(id), end: 0, elsewhere: [], own: [] };
  const live = new LiveConversation(begun, new ConversationStore(folder), (error) => {
    throw error;
  });
  live.record({ type: 'question', id: 'q', at: Date.now(), parent: null, text: 'Talk.', attachments: [] });
  const place = { id: 'a', at: Date.now(), parent: 'q' };
  live.record({ type: 'answer', ...place, model: 'familya-sonnet-4.6', format: 'messages', sandbox: true });
  const writer = new AnswerWriter('a', { toPanel: () => undefined, toFile: (record) => live.write(record) });
  let words = 0;
  setInterval(() => {
    writer.write({ text: wordAt(words) });
    words += 1;
    const heard: Heard = { words, at: Date.now() };
    writeSync(1, `${JSON.stringify(heard)}\n`);
  }, WORD_MS);
}
