import { randomUUID } from 'node:crypto';

/** The ids of the calls in one answer: some services give none, or every call the same, and clients tell calls by them. */
export class CallIds {
  readonly #used = new Set<string>();

  /** The id itself, unless it is empty or another call has it. */
  distinct(id: string): string {
    const own = id === '' || this.#used.has(id) ? `call_${newId()}` : id;
    this.#used.add(own);
    return own;
  }
}

/** 32 characters of chance; clients that keep answers by their ids must never meet one twice. */
export function newId(): string {
  return randomUUID().replaceAll('-', '');
}
