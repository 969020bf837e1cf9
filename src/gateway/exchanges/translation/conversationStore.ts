import type { AssistantPart, Message, TextPart } from '../../../formats/conversation.ts';

/** What a later request may go on from. */
export interface StoredConversation {
  /** Instructions that stood in the input, which go on to hold; those beside it hold for one answer. */
  readonly system: readonly TextPart[];
  readonly messages: readonly Message[];
}

interface Entry {
  readonly conversation: StoredConversation;
  readonly size: number;
}

export interface StoreLimits {
  readonly entries: number;
  /** About how many bytes the conversations may hold together. */
  readonly bytes: number;
}

const DEFAULT_LIMITS: StoreLimits = { entries: 1_000, bytes: 64 * 1024 * 1024 };

/**
 * Conversations by the id of their last answer, for callers that name an answer instead of sending all again, on
 * upstreams that keep none. Each local key has its own. The oldest go first when there are too many.
 */
export class ConversationStore {
  readonly #limits: StoreLimits;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(limits: StoreLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  find(localKeyId: string, responseId: string): StoredConversation | undefined {
    return this.#entries.get(keyOf(localKeyId, responseId))?.conversation;
  }

  /** @param bytes of the request, about. */
  keep(
    localKeyId: string,
    responseId: string,
    { system, messages }: StoredConversation,
    answer: readonly AssistantPart[],
    bytes: number,
  ): void {
    const key = keyOf(localKeyId, responseId);
    this.#forget(key);
    const conversation = { system, messages: [...messages, { role: 'assistant' as const, parts: answer }] };
    const size = bytes + answer.reduce((sum, part) => sum + sizeOf(part), 0);
    this.#entries.set(key, { conversation, size });
    this.#bytes += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}

function keyOf(localKeyId: string, responseId: string): string {
  return JSON.stringify([localKeyId, responseId]);
}

function sizeOf(part: AssistantPart): number {
  return part.type === 'toolCall' ? part.arguments.length : part.text.length;
}
