/**
 * What services demand back with a call but clients of other formats do not return: members of their own, and the
 * reasoning before the call. Kept by the IDs of calls, and only for answers that have it.
 */
import type { AssistantPart, Message, ReasoningPart, ToolCallPart } from '../../formats/conversation.ts';

interface AnswerAuthor {
  /** The upstream's ID. */
  readonly id: string;
  readonly model: string;
}

interface Kept {
  readonly author: AnswerAuthor;
  readonly extra?: ToolCallPart['extra'];
  readonly reasoning?: readonly ReasoningPart[];
  readonly size: number;
}

const MAX_CALLS = 5_000;
/** Approximate, in characters. */
const MAX_SIZE = 32 * 1024 * 1024;

/** The oldest calls are forgotten first. */
export class VendorMemory {
  readonly #kept = new Map<string, Kept>();
  #size = 0;
  /** Whether anything is kept. A plain member, because each translated request asks. */
  hasSome = false;

  /** @param parts an answer of this author, as it wrote it, with the IDs of calls that the caller gets. */
  keep(localKeyId: string, author: AnswerAuthor, parts: readonly AssistantPart[]): void {
    const reasoning = parts.filter((part) => part.type === 'reasoning');
    let isFirst = true;
    for (const part of parts) {
      if (part.type !== 'toolCall') continue;
      const ofCall = isFirst ? reasoning : [];
      isFirst = false;
      if (part.extra === undefined && ofCall.length === 0) continue;
      const size = JSON.stringify([part.extra, ofCall]).length;
      const key = keyOf(localKeyId, part.id);
      const extra = part.extra === undefined ? {} : { extra: part.extra };
      const reasoned = ofCall.length > 0 ? { reasoning: ofCall } : { reasoning: this.#kept.get(key)?.reasoning ?? [] };
      this.#add(key, { author, ...extra, ...reasoned, size });
    }
  }

  /** Returns the conversation for an upstream, with what it demands back. Signatures are only valid for their model. */
  restored(localKeyId: string, reader: AnswerAuthor, messages: readonly Message[]): readonly Message[] {
    return messages.map((message) => {
      if (message.role !== 'assistant') return message;
      return { ...message, parts: this.#restoredParts(localKeyId, reader, message.parts) };
    });
  }

  #restoredParts(localKeyId: string, reader: AnswerAuthor, parts: readonly AssistantPart[]): readonly AssistantPart[] {
    const lost: ReasoningPart[] = [];
    const own = parts.map((part): AssistantPart => {
      const kept = part.type === 'toolCall' ? this.#kept.get(keyOf(localKeyId, part.id)) : undefined;
      if (part.type !== 'toolCall' || kept?.author.id !== reader.id) return part;
      lost.push(...readableBy(reader, kept));
      return kept.extra === undefined ? part : { ...part, extra: kept.extra };
    });
    return lost.length > 0 ? [...lost, ...own.filter(({ type }) => type !== 'reasoning')] : own;
  }

  #add(key: string, kept: Kept): void {
    this.#forget(key);
    this.#kept.set(key, kept);
    this.#size += kept.size;
    this.hasSome = true;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_CALLS && this.#size <= MAX_SIZE) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }
}

function readableBy({ model }: AnswerAuthor, { author, reasoning = [] }: Kept): readonly ReasoningPart[] {
  return author.model === model ? reasoning : reasoning.map(({ type, text }) => ({ type, text }));
}

function keyOf(localKeyId: string, callId: string): string {
  return JSON.stringify([localKeyId, callId]);
}
