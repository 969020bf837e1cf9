import type { Conversation } from './conversation.ts';
import type { ConversationRecord, WrittenRecord } from './record.ts';

/**
 * Records of other windows, except which branch is shown, because each window chooses that itself. Tracks which answers
 * other windows are writing.
 */
export class ForeignRecords {
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
