import type { Conversation } from './conversation.ts';
import type { ConversationRecord, WrittenRecord } from './record.ts';

/**
 * What another window wrote, as far as this one takes it over: all but which branch shows, as each reader turns the pages
 * for himself. Knows which answers other windows are writing.
 */
export class ForeignRecords {
  readonly #writer: string;
  readonly #running: Set<string>;

  /** `running`: answers that other windows were writing when the conversation was opened. */
  constructor(writer: string, running: Iterable<string>) {
    this.#writer = writer;
    this.#running = new Set(running);
  }

  /** Answers that other windows write now, by their ids. */
  get running(): ReadonlySet<string> {
    return this.#running;
  }

  /** Their windows seem to be gone. What comes of them all the same is taken in. */
  forgetRunning(): void {
    this.#running.clear();
  }

  /** @returns the records to take in now, in their order. */
  take(records: readonly WrittenRecord[], conversation: Conversation): ConversationRecord[] {
    const shown = conversation.entries.at(-1)?.id;
    const taken = records
      .filter(({ by }) => by !== this.#writer)
      .map(({ record }) => record)
      .filter(({ type }) => type !== 'chosen');
    for (const record of taken) this.#follow(record);
    if (taken.length === 0 || shown === undefined) return taken;
    // A branch that another window began elsewhere must not turn the page here; one that goes on from the end may.
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
