import { defined } from '../../formats/json.ts';
import type { SpentMoney } from '../../pages/chat/spentMoney.ts';
import type { Conversation } from './conversation.ts';
import { costOf } from './conversationCost.ts';
import type { ConversationStore, FollowedConversation } from './conversationStore.ts';
import type { AnswerEnd, ConversationRecord, WrittenRecord } from './record.ts';
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

/**
 * Records of other windows, except which branch is shown, because each window chooses that itself. Tracks which answers
 * other windows are writing.
 */
class ForeignRecords {
  readonly #writer: string;
  readonly #running: Set<string>;

  /** `running`: the answers that other windows were writing when the conversation was opened. */
  constructor(writer: string, running: Iterable<string>) {
    this.#writer = writer;
    this.#running = new Set(running);
  }

  /** The IDs of answers that other windows are writing. */
  get running(): ReadonlySet<string> {
    return this.#running;
  }

  /** Called when their windows seem to be closed. If they write more, it is still applied. */
  forgetRunning(): void {
    this.#running.clear();
  }

  /** Returns the records to apply, in order. */
  take(records: readonly WrittenRecord[], conversation: Conversation): ConversationRecord[] {
    const shown = conversation.entries.at(-1)?.id;
    const taken = records
      .filter(({ by }) => by !== this.#writer)
      .map(({ record }) => record)
      .filter(({ type }) => type !== 'chosen');
    for (const record of taken) this.#follow(record);
    if (taken.length === 0 || shown === undefined) return taken;
    // A branch that another window began elsewhere must not change the branch shown here. One that continues from its
    // end may.
    return turnsThePage(taken, conversation) ? [...taken, { type: 'chosen', id: shown }] : taken;
  }

  #follow(record: ConversationRecord): void {
    if (record.type === 'answer' || record.type === 'continued' || record.type === 'delta')
      this.#running.add(record.id);
    else if (record.type === 'answerEnd') this.#running.delete(record.id);
  }
}

function turnsThePage(records: readonly ConversationRecord[], conversation: Conversation): boolean {
  const added = new Set(records.filter(({ type }) => type === 'question' || type === 'answer').map(idOf));
  return records.some((record) => {
    if (record.type !== 'question' && record.type !== 'answer') return false;
    const parent = record.parent ?? undefined;
    if (parent !== undefined && added.has(parent)) return false;
    return parent !== conversation.entries.at(-1)?.id;
  });
}

function idOf(record: ConversationRecord): string | undefined {
  return 'id' in record ? record.id : undefined;
}
