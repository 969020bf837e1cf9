import { randomFillSync } from 'node:crypto';
import type { Message } from '../../formats/conversation.ts';

/**
 * Makes the IDs of the tool calls in one answer unique, because clients identify calls by them. Some services send no
 * IDs, the same ID for every call, or IDs that start from the beginning in each answer.
 */
export class CallIds {
  readonly #earlier: readonly Message[];
  #used: Set<string> | undefined;

  /** @param earlier the messages before the answer. */
  constructor(earlier: readonly Message[]) {
    this.#earlier = earlier;
  }

  /** Returns the ID itself, unless it is empty or another call has it. */
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

const ID_BYTES = 16;
/** Random bytes for the next IDs, because asking the system for each ID takes longer than all of its bytes. */
const pool = Buffer.alloc(256 * ID_BYTES);
let used = pool.length;

/** Returns 32 random hexadecimal digits. Clients that store answers by their IDs must never receive an ID twice. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.toString('hex', used - ID_BYTES, used);
}

/** Returns an ID for an exchange, or for an answer whose upstream sent none. */
export function newRequestId(): string {
  return `req_${newId()}`;
}
