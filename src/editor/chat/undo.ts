import { randomUUID } from 'node:crypto';
import type { ChatHostMessage } from './protocol.ts';

/** How long an action can be undone, in milliseconds. The panel shows the notice for a shorter time. */
const KEPT_MS = 60_000;

export interface Undoable {
  /** The completed action, such as `Chat deleted.` */
  readonly text: string;
  readonly undo: () => unknown;
  /** Called when the action can no longer be undone. */
  readonly onExpired?: () => unknown;
}

/** Offers to undo actions. Each offer lasts for its own time, even if others follow. */
export class UndoOffers {
  readonly #post: (message: ChatHostMessage) => void;
  readonly #offers = new Map<string, { readonly offer: Undoable; readonly timer: NodeJS.Timeout }>();

  constructor(post: (message: ChatHostMessage) => void) {
    this.#post = post;
  }

  /** Returns a function that withdraws the offer, if the action was undone in another way. */
  offer(offer: Undoable): () => void {
    const id = randomUUID();
    const timer = setTimeout(() => this.#expire(id), KEPT_MS);
    this.#offers.set(id, { offer, timer });
    this.#post({ type: 'notice', notice: { id, text: offer.text } });
    return () => this.#withdraw(id);
  }

  async undo(noticeId: string): Promise<void> {
    const found = this.#offers.get(noticeId);
    if (found === undefined) return;
    this.#offers.delete(noticeId);
    clearTimeout(found.timer);
    await found.offer.undo();
  }

  #withdraw(id: string): void {
    const found = this.#offers.get(id);
    if (found === undefined) return;
    this.#offers.delete(id);
    clearTimeout(found.timer);
    this.#post({ type: 'noticeWithdrawn', noticeId: id });
  }

  /** Lets all offers expire. */
  dispose(): void {
    for (const id of [...this.#offers.keys()]) this.#expire(id);
  }

  #expire(id: string): void {
    const found = this.#offers.get(id);
    if (found === undefined) return;
    this.#offers.delete(id);
    clearTimeout(found.timer);
    found.offer.onExpired?.();
  }
}
