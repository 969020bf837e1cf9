import { defined } from '../../formats/json.ts';
import type { SpentMoney } from '../../pages/chat/spentMoney.ts';
import type { Conversation } from './conversation.ts';
import { costOf } from './conversationCost.ts';
import type { ConversationStore, FollowedConversation } from './conversationStore.ts';
import { ForeignRecords } from './foreignRecords.ts';
import type { AnswerEnd, ConversationRecord } from './record.ts';
import { titleNoteOf, titleOf } from './title.ts';

/** What a conversation's records are written to. */
export type RecordStore = Pick<
  ConversationStore,
  'append' | 'touch' | 'whenWritten' | 'readFrom' | 'isAlive' | 'writer' | 'workspace'
>;

/**
 * A conversation in memory together with its file. An answer in progress keeps its conversation, whatever the panel
 * shows next. `catchUp` reads what other windows append to the file.
 */
export class LiveConversation {
  readonly value: Conversation;
  readonly #store: RecordStore;
  readonly #onWriteFailure: (error: unknown) => void;
  readonly #foreign: ForeignRecords;
  readonly #own: Set<string>;
  /** How far the file has been read, in bytes. */
  #read: number;
  #catchingUp: Promise<readonly ConversationRecord[]> | undefined;

  constructor(
    { conversation, end, elsewhere, own }: FollowedConversation,
    store: RecordStore,
    onWriteFailure: (error: unknown) => void,
  ) {
    this.value = conversation;
    this.#read = end;
    this.#store = store;
    this.#onWriteFailure = onWriteFailure;
    this.#foreign = new ForeignRecords(store.writer, elsewhere);
    this.#own = new Set(own);
  }

  get id(): string {
    return this.value.id;
  }

  get title(): string {
    return titleOf(this.value);
  }

  /** Which model wrote the title, and its cost. Undefined if none did. */
  get titleNote(): string | undefined {
    return titleNoteOf(this.value);
  }

  get spent(): SpentMoney {
    return costOf(this.value);
  }

  /** The IDs of answers that other windows are writing. */
  get elsewhere(): ReadonlySet<string> {
    return this.#foreign.running;
  }

  /** Whether one of them is on the path shown. Other branches may continue in the meantime. */
  get isAnsweredElsewhere(): boolean {
    const { entries, comparison } = this.value;
    return this.elsewhere.size > 0 && [...entries, ...comparison].some(({ id }) => this.elsewhere.has(id));
  }

  /** Whether this window wrote the answer, and so may append to it. */
  isOwn(answerId: string): boolean {
    return this.#own.has(answerId);
  }

  /**
   * Applies a record and writes it. With the first question, the header and the parameters set before are written as
   * well; until then, the file does not exist.
   */
  record(record: ConversationRecord): void {
    const isFirst = this.value.title === undefined;
    this.apply(record);
    if (record.type === 'answer') this.#own.add(record.id);
    if (isFirst) this.#writeFirst(record);
    else this.write(record);
  }

  end(answerId: string, end: AnswerEnd): void {
    this.apply({ type: 'answerEnd', id: answerId, ...end });
  }

  /** Applies a record without writing it. */
  apply(record: ConversationRecord): void {
    this.value.apply(record);
  }

  /** Writes records without applying them. */
  write(...records: ConversationRecord[]): void {
    this.#store.append(this.id, records).catch(this.#onWriteFailure);
  }

  /** Applies what other windows have appended, and returns it. */
  catchUp(): Promise<readonly ConversationRecord[]> {
    this.#catchingUp ??= this.#readOn().finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  /**
   * Restores an answer of this window that another has taken over, as a branch of its own, if it has more text than the
   * other window started from.
   */
  yieldToSuccessor(answerId: string): void {
    const [answer, successor] = [this.value.answer(answerId), this.value.successorOf(answerId)];
    if (answer === undefined || successor === undefined || this.value.isVisible(answerId)) return;
    if (!successor.text.startsWith(answer.text)) this.record({ type: 'restored', id: answerId });
  }

  /** Signals to other windows that answers are still in progress here, even while no output arrives. */
  touch(): void {
    // A file that cannot be touched cannot be written either, which is reported.
    this.#store.touch(this.id).catch(() => undefined);
  }

  /** Marks answers of other windows as stopped if no window writes them any more. Returns their IDs. */
  async stopRemoteOfClosed(): Promise<readonly string[]> {
    if (this.elsewhere.size === 0 || (await this.#store.isAlive(this.id))) return [];
    const abandoned = [...this.elsewhere];
    this.#foreign.forgetRunning();
    this.value.abandon(abandoned);
    return abandoned;
  }

  #writeFirst(record: ConversationRecord): void {
    if (this.value.isEmpty) return;
    const { id, title } = this;
    const { parameters } = this.value;
    const place = defined({ workspace: this.#store.workspace });
    const header: ConversationRecord = { type: 'conversation', version: 1, id, at: Date.now(), title, ...place };
    this.apply(header);
    const decided: ConversationRecord[] =
      Object.keys(parameters).length === 0 ? [] : [{ type: 'parameters', parameters }];
    this.write(header, ...decided, record);
  }

  async #readOn(): Promise<readonly ConversationRecord[]> {
    if (this.value.title === undefined) return [];
    await this.#store.whenWritten();
    const tail = await this.#store.readFrom(this.id, this.#read);
    if (tail === undefined) return [];
    this.#read = tail.end;
    const records = this.#foreign.take(tail.records, this.value);
    for (const record of records) this.apply(record);
    // This record follows everything that the other window took over.
    for (const record of records)
      if (record.type === 'removed' && this.isOwn(record.id)) this.yieldToSuccessor(record.id);
    return records;
  }
}
