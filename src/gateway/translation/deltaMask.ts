import type { ChatEvent } from '../../formats/conversation.ts';
import type { KeyMask } from '../core/keyMask.ts';

type Delta = Extract<ChatEvent, { readonly type: 'textDelta' | 'refusalDelta' | 'reasoningDelta' | 'toolCallDelta' }>;

/**
 * Masks the upstream's key in texts that arrive in several events, none of which contains enough of it to be found
 * alone. While a text ends with what could be the beginning of the key, its last events are held back.
 */
export class DeltaMask {
  readonly #mask: KeyMask;
  #held: Delta[] = [];

  constructor(mask: KeyMask) {
    this.#mask = mask;
  }

  /** Whether events with this text must go through {@link event}. */
  concerns(text: string): boolean {
    if (this.#held.length > 0) return true;
    const bytes = Buffer.from(text);
    return this.#mask.beginningAtEnd(bytes) !== -1 || this.#mask.body(bytes) !== bytes;
  }

  event(event: ChatEvent): ChatEvent[] {
    if (!isDelta(event)) return [...this.release(), event];
    const [first] = this.#held;
    const isSameItem = first?.type === event.type && first.index === event.index;
    const before = isSameItem ? [] : this.release();
    this.#held.push(event);
    return [...before, ...this.#releaseSafe()];
  }

  /** Returns the events that were held back, because the text does not continue. */
  release(): Delta[] {
    return this.#masked(this.#held.splice(0));
  }

  #releaseSafe(): ChatEvent[] {
    let beginning = this.#mask.beginningAtEnd(bytesOf(this.#held));
    if (beginning === -1) return this.release();
    const count = this.#held.findIndex((delta) => {
      beginning -= Buffer.byteLength(textOf(delta));
      return beginning < 0;
    });
    return this.#masked(this.#held.splice(0, count));
  }

  /** Merges the events into one if their joined text contains a key. */
  #masked(deltas: Delta[]): Delta[] {
    const bytes = bytesOf(deltas);
    const masked = this.#mask.body(bytes);
    return masked === bytes ? deltas : deltas.slice(0, 1).map((delta) => withText(delta, masked.toString()));
  }
}

function bytesOf(deltas: readonly Delta[]): Buffer {
  return Buffer.from(deltas.map(textOf).join(''));
}

function isDelta(event: ChatEvent): event is Delta {
  return ['textDelta', 'refusalDelta', 'reasoningDelta', 'toolCallDelta'].includes(event.type);
}

function textOf(delta: Delta): string {
  return delta.type === 'toolCallDelta' ? delta.arguments : delta.text;
}

/** Removes the probabilities of tokens, which would repeat the text. */
function withText(delta: Delta, text: string): Delta {
  if (delta.type === 'toolCallDelta') return { ...delta, arguments: text };
  if (delta.type !== 'textDelta') return { ...delta, text };
  const { logProbs: _, ...rest } = delta;
  return { ...rest, text };
}
