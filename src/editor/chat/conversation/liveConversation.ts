import { type Conversation, costOf } from './conversation.ts';
import type { ConversationStore } from './conversationStore.ts';
import { ForeignRecords } from './foreignRecords.ts';
import type { AnswerEnd, ConversationRecord } from './record.ts';
import { titleOf } from './title.ts';

/**
 * A conversation in memory together with its file. An answer under way keeps its own, whatever the panel shows next.
 * What other windows append to the file is taken in by `catchUp`.
 */
export class LiveConversation {
  readonly value: Conversation;
  readonly #store: ConversationStore;
  readonly #onWriteFailure: (error: unknown) => void;
  readonly #foreign: ForeignRecords;
  /** How far the file has been read, in bytes. */
  #read: number;
  #catchingUp: Promise<boolean> | undefined;

  /** `end`: how far its file has been read, in bytes; 0 when it has none yet. */
  constructor(value: Conversation, end: number, store: ConversationStore, onWriteFailure: (error: unknown) => void) {
    this.value = value;
    this.#read = end;
    this.#store = store;
    this.#onWriteFailure = onWriteFailure;
    this.#foreign = new ForeignRecords(store.writer);
  }

  get id(): string {
    return this.value.id;
  }

  get title(): string {
    return titleOf(this.value);
  }

  /** US dollars, where any price is known. */
  get cost(): number | undefined {
    return costOf(this.value);
  }

  /**
   * Takes a record in and writes it down. The first question brings the line that names the conversation, and what was
   * decided before; until then there is no file.
   */
  record(record: ConversationRecord): void {
    const isFirst = this.value.title === undefined;
    this.apply(record);
    if (isFirst) this.#writeFirst(record);
    else this.write(record);
  }

  end(answerId: string, end: AnswerEnd): void {
    this.apply({ type: 'answerEnd', id: answerId, ...end });
  }

  /** Takes a record in without writing it. */
  apply(record: ConversationRecord): void {
    this.value.apply(record);
  }

  /** Writes records without taking them in. */
  write(...records: ConversationRecord[]): void {
    this.#store.append(this.id, records).catch(this.#onWriteFailure);
  }

  /** Takes in what other windows have appended. @returns whether there was anything. */
  catchUp(): Promise<boolean> {
    this.#catchingUp ??= this.#readOn().finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  #writeFirst(record: ConversationRecord): void {
    if (this.value.isEmpty) return;
    const { id, title } = this;
    const { parameters } = this.value;
    const header: ConversationRecord = { type: 'conversation', version: 1, id, at: Date.now(), title };
    this.apply(header);
    const decided: ConversationRecord[] =
      Object.keys(parameters).length === 0 ? [] : [{ type: 'parameters', parameters }];
    this.write(header, ...decided, record);
  }

  async #readOn(): Promise<boolean> {
    if (this.value.title === undefined) return false;
    await this.#store.settled();
    const tail = await this.#store.readFrom(this.id, this.#read);
    if (tail === undefined) return false;
    this.#read = tail.end;
    const records = this.#foreign.take(tail.records, this.value);
    for (const record of records) this.apply(record);
    return records.length > 0;
  }
}
