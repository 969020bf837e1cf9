import { createHash } from 'node:crypto';
import type { TurnBody } from './turnBody.ts';

interface Beginning {
  readonly length: number;
  readonly hash: string;
}

const MAX_CONVERSATIONS = 64;

/**
 * Conversations whose connection was closed before its first event, for example because their messages are longer than
 * the server accepts. Their next requests, which begin with the same items, go over HTTP.
 */
export class ClosedConversations {
  #beginnings: readonly Beginning[] = [];

  add({ input }: TurnBody): void {
    // Every conversation begins with no items.
    if (input.length === 0) return;
    const beginning = { length: input.length, hash: hashOf(input) };
    this.#beginnings = [...this.#beginnings, beginning].slice(-MAX_CONVERSATIONS);
  }

  has({ input }: TurnBody): boolean {
    return this.#beginnings.some(
      ({ length, hash }) => length <= input.length && hashOf(input.subarray(0, length)) === hash,
    );
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('base64');
}
