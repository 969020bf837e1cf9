import type { AssistantPart, ChatResponse, Message, TextPart } from '../../formats/conversation.ts';
import type { InputTools } from '../../formats/inputTools.ts';
import { outputItems, type ResponsesItem, responseId } from '../../formats/responses/index.ts';
import { newPiece, type Piece, SharedPieces } from '../core/sharedPieces.ts';

/** What a later request may go on from. */
export interface StoredConversation {
  /** Instructions that stood in the input, which go on to hold; those beside it hold for one answer. */
  readonly system: readonly TextPart[];
  readonly messages: readonly Message[];
  /** That stood in the input. */
  readonly inputTools: InputTools;
  /** What it holds in memory, together with those that it goes on from and that go on from it. */
  readonly pieces?: readonly Piece[];
}

interface Entry {
  readonly conversation: StoredConversation & Required<Pick<StoredConversation, 'pieces'>>;
  /** Keys of the answer's items. */
  readonly items: readonly string[];
}

export interface StoreLimits {
  readonly entries: number;
  /** About how many bytes the conversations may hold together. */
  readonly bytes: number;
}

const DEFAULT_LIMITS: StoreLimits = { entries: 1_000, bytes: 64 * 1024 * 1024 };

/**
 * Conversations by the id of their last answer, for callers that name an answer instead of sending all again, on
 * upstreams that keep none, and the items of those answers by their own ids, since some callers refer to each of them.
 * Each local key has its own. The oldest go first when there are too many, or when what all together hold is too much;
 * what a later conversation goes on from is held as long as that one is.
 */
export class ConversationStore {
  readonly #limits: StoreLimits;
  readonly #entries = new Map<string, Entry>();
  readonly #items = new Map<string, ResponsesItem>();
  readonly #held = new SharedPieces();

  constructor(limits: StoreLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  find(localKeyId: string, responseId: string): StoredConversation | undefined {
    return this.#entries.get(keyOf(localKeyId, responseId))?.conversation;
  }

  findItem(localKeyId: string, itemId: string): ResponsesItem | undefined {
    return this.#items.get(keyOf(localKeyId, itemId));
  }

  /** @param bytes of the request, about. */
  keep(localKeyId: string, before: StoredConversation, answer: ChatResponse, bytes: number): void {
    const key = keyOf(localKeyId, responseId(answer.id));
    this.#forget(key);
    const messages = [...before.messages, { role: 'assistant' as const, parts: answer.parts }];
    const piece = newPiece(bytes + answer.parts.reduce((sum, part) => sum + sizeOf(part), 0));
    const conversation = { ...before, messages, pieces: [...(before.pieces ?? []), piece] };
    const items = outputItems(answer).map((item): [string, ResponsesItem] => [
      keyOf(localKeyId, String(item.id)),
      item,
    ]);
    for (const [itemKey, item] of items) this.#items.set(itemKey, item);
    this.#entries.set(key, { conversation, items: items.map(([itemKey]) => itemKey) });
    this.#held.hold(conversation.pieces);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.entries && this.#held.bytes <= this.#limits.bytes) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#held.release(entry.conversation.pieces);
    for (const item of entry?.items ?? []) this.#items.delete(item);
    this.#entries.delete(key);
  }
}

function keyOf(localKeyId: string, responseId: string): string {
  return JSON.stringify([localKeyId, responseId]);
}

function sizeOf(part: AssistantPart): number {
  return part.type === 'toolCall' ? part.arguments.length : part.text.length;
}
