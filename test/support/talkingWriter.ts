/**
 * A process to be killed: it receives an answer word by word without an end, and writes it to a conversation's file
 * with the extension's own code. For each word, reports on standard output how many are in the file.
 *
 *     node test/support/talkingWriter.ts FOLDER CONVERSATION
 */
import { writeSync } from 'node:fs';
import { AnswerWriter } from '../../src/chat/answers/answerWriter.ts';
import { Conversation } from '../../src/chat/conversation/conversation.ts';
import { ConversationStore } from '../../src/chat/conversation/conversationStore.ts';
import { LiveConversation } from '../../src/chat/conversation/liveConversation.ts';
import type { ConversationRecord } from '../../src/chat/conversation/record.ts';

const WORD_MS = 5;

/** The report of the process: how many words have arrived, and how many of them were written to the file. */
export interface Heard {
  readonly words: number;
  readonly written: number;
}

export function wordAt(index: number): string {
  return `word${index} `;
}

/** Counts the words of the records that were written. */
class CountingStore extends ConversationStore {
  words = 0;

  override async append(id: string, records: readonly ConversationRecord[]): Promise<void> {
    await super.append(id, records);
    for (const record of records) if (record.type === 'delta') this.words += (record.text ?? '').split(' ').length - 1;
  }
}

function talk(folder: string, id: string): void {
  const store = new CountingStore(folder);
  const begun = { conversation: new Conversation(id), end: 0, elsewhere: [], own: [] };
  const live = new LiveConversation(begun, store, (error) => {
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
    const heard: Heard = { words, written: store.words };
    writeSync(1, `${JSON.stringify(heard)}\n`);
  }, WORD_MS);
}

if (import.meta.main) talk(process.argv[2] ?? '', process.argv[3] ?? '');
