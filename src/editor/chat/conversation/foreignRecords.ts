import type { Conversation } from './conversation.ts';
import type { ConversationRecord, WrittenRecord } from './record.ts';

/**
 * What another window wrote, as far as this one takes it over: questions at once, answers once they are whole, and
 * never which branch shows, as each reader turns the pages for himself.
 */
export class ForeignRecords {
  readonly #writer: string;
  /** Records of answers that have no end yet, by the answer. */
  readonly #unfinished = new Map<string, ConversationRecord[]>();

  constructor(writer: string) {
    this.#writer = writer;
  }

  /** @returns the records to take in now, in their order. */
  take(records: readonly WrittenRecord[], conversation: Conversation): ConversationRecord[] {
    const shown = conversation.entries.at(-1)?.id;
    const taken = records.filter(({ by }) => by !== this.#writer).flatMap(({ record }) => this.#takeOne(record));
    if (taken.length === 0 || shown === undefined) return taken;
    // A branch that another window began elsewhere must not turn the page here; one that goes on from the end may.
    return turnsThePage(taken, conversation) ? [...taken, { type: 'chosen', id: shown }] : taken;
  }

  #takeOne(record: ConversationRecord): ConversationRecord[] {
    switch (record.type) {
      case 'answer':
      case 'continued':
        this.#unfinished.set(record.id, [record]);
        return [];
      case 'delta':
        this.#held(record.id).push(record);
        return [];
      case 'answerEnd': {
        const held = [...this.#held(record.id), record];
        this.#unfinished.delete(record.id);
        return held;
      }
      case 'chosen':
        return [];
      default:
        return [record];
    }
  }

  #held(id: string): ConversationRecord[] {
    const held = this.#unfinished.get(id) ?? [];
    this.#unfinished.set(id, held);
    return held;
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
