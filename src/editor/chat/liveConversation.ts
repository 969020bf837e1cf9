import {
  type AnswerEnd,
  applyRecord,
  type Conversation,
  type ConversationRecord,
  costOf,
  type Entry,
  titleOf,
} from './conversation.ts';
import type { ConversationStore } from './conversationStore.ts';
import type { AnswerTurn } from './protocol.ts';

/** A conversation in memory together with its file. An answer under way keeps its own, whatever the panel shows next. */
export class LiveConversation {
  readonly #store: ConversationStore;
  readonly #onWriteFailure: (error: unknown) => void;
  #value: Conversation;

  constructor(value: Conversation, store: ConversationStore, onWriteFailure: (error: unknown) => void) {
    this.#value = value;
    this.#store = store;
    this.#onWriteFailure = onWriteFailure;
  }

  get id(): string {
    return this.#value.id;
  }

  get entries(): readonly Entry[] {
    return this.#value.entries;
  }

  get isEmpty(): boolean {
    return this.#value.entries.length === 0;
  }

  get title(): string {
    return titleOf(this.#value);
  }

  /** US dollars, where any price is known. */
  get cost(): number | undefined {
    return costOf(this.#value);
  }

  answer(id: string): AnswerTurn | undefined {
    return this.#value.entries.find((entry): entry is AnswerTurn => entry.role === 'assistant' && entry.id === id);
  }

  /** Takes a record in and writes it down; the first one after the line that names the conversation. */
  record(record: ConversationRecord): void {
    const isFirst = this.isEmpty;
    this.apply(record);
    if (isFirst) this.write({ type: 'conversation', version: 1, id: this.id, at: Date.now(), title: this.title });
    this.write(record);
  }

  end(answerId: string, end: AnswerEnd): void {
    this.apply({ type: 'answerEnd', id: answerId, ...end });
  }

  /** Takes a record in without writing it. */
  apply(record: ConversationRecord): void {
    this.#value = applyRecord(this.#value, record);
  }

  /** Writes a record without taking it in. */
  write(record: ConversationRecord): void {
    this.#store.append(this.id, [record]).catch(this.#onWriteFailure);
  }
}
