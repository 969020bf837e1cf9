import { writtenText } from '../../formats/answer.ts';
import type { AssistantPart, MediaSource } from '../../formats/conversation.ts';
import { outputItems, type ResponsesItem, responseId } from '../../formats/responses/index.ts';
import type {
  ContinuableConversation,
  FoundResponses,
  KeptResponse,
  ResponseReferences,
  ResponseStore,
} from '../core/responseStore.ts';
import { newPiece, type Piece, SharedPieces } from '../core/sharedPieces.ts';

interface MemoryEntry {
  readonly conversation: ContinuableConversation;
  /**
   * The memory used by the conversation. Pieces are shared with the conversations that it continues or that continue
   * it.
   */
  readonly pieces: readonly Piece[];
  readonly items: readonly string[];
}

export interface StoreLimits {
  readonly entries: number;
  /** Approximate total size of the conversations, in bytes. */
  readonly bytes: number;
}

const DEFAULT_LIMITS: StoreLimits = { entries: 1_000, bytes: 64 * 1024 * 1024 };

/**
 * Keeps answers in the memory of this process. The oldest are removed first when there are too many or their total size
 * is too large. The memory of a continued conversation is counted until its continuations are removed, too.
 */
export class MemoryResponseStore implements ResponseStore {
  readonly #limits: StoreLimits;
  readonly #entries = new Map<string, MemoryEntry>();
  readonly #items = new Map<string, ResponsesItem>();
  /** Pieces of conversations that were returned, even after their entries were removed. */
  readonly #pieces = new WeakMap<ContinuableConversation, readonly Piece[]>();
  readonly #held = new SharedPieces();

  constructor(limits: StoreLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  async find(localKeyId: string, { previousResponseId, itemIds }: ResponseReferences): Promise<FoundResponses> {
    const items = new Map<string, ResponsesItem>();
    for (const id of itemIds) {
      const item = this.#items.get(keyOf(localKeyId, id));
      if (item !== undefined) items.set(id, item);
    }
    const key = previousResponseId === undefined ? undefined : keyOf(localKeyId, previousResponseId);
    const entry = key === undefined ? undefined : this.#entries.get(key);
    return { items, ...(entry !== undefined && { conversation: entry.conversation }) };
  }

  keep(localKeyId: string, { previous, conversation: before, answer, bytes }: KeptResponse): void {
    const key = keyOf(localKeyId, responseId(answer.id));
    this.#forget(key);
    const messages = [...before.messages, { role: 'assistant' as const, parts: answer.parts }];
    const conversation = { ...before, messages };
    const piece = newPiece(bytes + answer.parts.reduce((sum, part) => sum + sizeOf(part), 0));
    const pieces = [...((previous && this.#pieces.get(previous)) ?? []), piece];
    this.#pieces.set(conversation, pieces);
    const items = outputItems(answer).map((item): [string, ResponsesItem] => [
      keyOf(localKeyId, String(item.id)),
      item,
    ]);
    for (const [itemKey, item] of items) this.#items.set(itemKey, item);
    this.#entries.set(key, { conversation, pieces, items: items.map(([itemKey]) => itemKey) });
    this.#held.hold(pieces);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.entries && this.#held.bytes <= this.#limits.bytes) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#held.release(entry.pieces);
    for (const item of entry?.items ?? []) this.#items.delete(item);
    this.#entries.delete(key);
  }
}

function keyOf(localKeyId: string, id: string): string {
  return JSON.stringify([localKeyId, id]);
}

function sizeOfSource(source: MediaSource): number {
  return source.kind === 'base64' ? source.data.length : 0;
}

function sizeOf(part: AssistantPart): number {
  return part.type === 'image' ? sizeOfSource(part.source) : writtenText(part).length;
}
