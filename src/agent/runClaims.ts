import type { ConversationStore } from '../chat/conversation/conversationStore.ts';
import type { WrittenRecord } from '../chat/conversation/record.ts';

/**
 * Decides which of several windows acts in a chat. The lines of its file have the same order for all windows, so the
 * first one that records that it begins a run acts.
 */
export class RunClaims {
  readonly #store: ConversationStore;
  /** How far each chat's file had been read when no window acted in it, in bytes. */
  readonly #freeUpTo = new Map<string, number>();

  constructor(store: ConversationStore) {
    this.#store = store;
  }

  /** Whether no window acts in the chat. */
  async isFree(conversationId: string): Promise<boolean> {
    // The end of a run of this window may not be in the file yet.
    await this.#store.whenWritten();
    const tail = await this.#store.readFrom(conversationId, 0);
    const isClaimed = tail !== undefined && unfinishedRuns(tail.records).size > 0;
    if (isClaimed && (await this.#store.isAlive(conversationId))) return false;
    this.#freeUpTo.set(conversationId, tail?.end ?? 0);
    return true;
  }

  /**
   * Called when this window has recorded that it begins a run. Another one may have done the same since
   * {@link isFree}.
   * @returns the run that another window began first, which is the same one if both go on with it.
   */
  async earlierClaim(conversationId: string): Promise<string | undefined> {
    await this.#store.whenWritten();
    const tail = await this.#store.readFrom(conversationId, this.#freeUpTo.get(conversationId) ?? 0);
    const records = tail?.records ?? [];
    const own = records.findIndex(({ record, by }) => isClaim(record) && by === this.#store.writer);
    const [earlier] = unfinishedRuns(records.slice(0, Math.max(0, own)));
    return earlier;
  }
}

/** The runs that have begun, and neither ended nor stopped. */
function unfinishedRuns(records: readonly WrittenRecord[]): ReadonlySet<string> {
  const unfinished = new Set<string>();
  for (const { record } of records) {
    if (record.type !== 'run' || record.state === undefined) continue;
    if (isClaim(record)) unfinished.add(record.id);
    else unfinished.delete(record.id);
  }
  return unfinished;
}

function isClaim(record: WrittenRecord['record']): boolean {
  return record.type === 'run' && record.state === 'running';
}
