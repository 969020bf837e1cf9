import { randomUUID } from 'node:crypto';
import { appendFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { ConversationStore } from '../../../src/chat/conversation/conversationStore.ts';
import { type ConversationRecord, toLine } from '../../../src/chat/conversation/record.ts';

/** How often a window that works on a chat touches its file, in milliseconds. */
const TOUCH_MS = 500;
const CLOSED_AGO_MS = 60_000;

const MODEL = { model: 'familya-sonnet-4.6', format: 'messages', sandbox: false } as const;

/** Another window of the editor, as far as its chat's file shows it. */
export class OtherWindow {
  readonly chatId: string;
  readonly questionId: string;
  readonly #touching: NodeJS.Timeout;
  readonly #file: string;

  /** Asks a question of the agent, whose first step waits for a decision about a command. */
  static async beginRun(folder: string): Promise<OtherWindow> {
    const store = new ConversationStore(folder);
    const [chatId, questionId, id] = [randomUUID(), randomUUID(), randomUUID()];
    const at = Date.now();
    const call = { id: 'call_other', name: 'list_files', arguments: '{}' };
    const records: ConversationRecord[] = [
      { type: 'conversation', version: 1, id: chatId, at, title: 'Asked in another window' },
      { type: 'question', id: questionId, at, parent: null, text: 'Asked in another window', attachments: [] },
      { type: 'run', id: questionId, state: 'running' },
      { type: 'answer', id, at, parent: questionId, ...MODEL, run: questionId },
      { type: 'delta', id, toolCall: call },
      { type: 'answerEnd', id, status: 'complete', figures: { outputTokens: 10, estimated: false } },
    ];
    await store.append(chatId, records);
    return new OtherWindow(store, folder, chatId, questionId);
  }

  /** Asks a question without the agent after this entry of a chat, and gets an answer. */
  static async ask(folder: string, chatId: string, parent: string): Promise<void> {
    const [questionId, id, at] = [randomUUID(), randomUUID(), Date.now()];
    await new ConversationStore(folder).append(chatId, [
      { type: 'question', id: questionId, at, parent, text: 'Asked elsewhere', attachments: [] },
      { type: 'answer', id, at, parent: questionId, ...MODEL },
      { type: 'delta', id, text: 'Answered elsewhere' },
      { type: 'answerEnd', id, status: 'complete', figures: { outputTokens: 10, estimated: false } },
    ]);
  }

  /** Begins a run in a chat at this moment, before anything else can be written. */
  static claim(folder: string, chatId: string): void {
    const record: ConversationRecord = { type: 'run', id: randomUUID(), state: 'running' };
    appendFileSync(join(folder, `${chatId}.jsonl`), toLine(record, 'other'));
  }

  private constructor(store: ConversationStore, folder: string, chatId: string, questionId: string) {
    this.chatId = chatId;
    this.questionId = questionId;
    this.#file = join(folder, `${chatId}.jsonl`);
    this.#touching = setInterval(() => void store.touch(chatId), TOUCH_MS);
  }

  /** The window was closed in the middle of the run, long enough ago for others to notice. */
  close(): void {
    clearInterval(this.#touching);
    const at = new Date(Date.now() - CLOSED_AGO_MS);
    utimesSync(this.#file, at, at);
  }
}
