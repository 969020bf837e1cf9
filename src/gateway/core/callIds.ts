import { randomUUID } from 'node:crypto';
import type { Message } from '../../formats/conversation.ts';

/**
 * The ids of the calls in one answer: some services give none, or every call the same, or count from the beginning in
 * each answer, and clients tell calls by them.
 */
export class CallIds {
  readonly #earlier: readonly Message[];
  #used: Set<string> | undefined;

  /** @param earlier what was said before the answer. */
  constructor(earlier: readonly Message[]) {
    this.#earlier = earlier;
  }

  /** The id itself, unless it is empty or another call has it. */
  distinct(id: string): string {
    this.#used ??= new Set(this.#earlier.flatMap(callIdsIn));
    const own = id === '' || this.#used.has(id) ? `call_${newId()}` : id;
    this.#used.add(own);
    return own;
  }
}

function callIdsIn(message: Message): string[] {
  if (message.role !== 'assistant') return [];
  return message.parts.flatMap((part) => (part.type === 'toolCall' ? [part.id] : []));
}

/** 32 characters of chance; clients that keep answers by their ids must never meet one twice. */
export function newId(): string {
  return randomUUID().replaceAll('-', '');
}
