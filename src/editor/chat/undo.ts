import { randomUUID } from 'node:crypto';
import type { ChatHostMessage } from './protocol.ts';

/** How long what was done can be undone, in milliseconds. The panel shows it for less. */
const KEPT_MS = 60_000;

export interface Undoable {
  /** What was done, such as `Chat deleted.` */
  readonly text: string;
  readonly undo: () => unknown;
  /** Called once it cannot be undone any more. */
  readonly onExpired?: () => unknown;
}

/** Offers to undo what was just done. Each thing can be undone for a while, also when another follows it. */
export class UndoOffers {
  readonly #post: (message: ChatHostMessage) => void;
  readonly #offers = new Map<string, { readonly offer: Undoable; readonly timer: NodeJS.Timeout }>();

  constructor(post: (message: ChatHostMessage) => void) {
    this.#post = post;
  }

  offer(offer: Undoable): void {
    const id = randomUUID();
    const timer = setTimeout(() => this.#expire(id), KEPT_MS);
    this.#offers.set(id, { offer, timer });
    this.#post({ type: 'notice', notice: { id, text: offer.text } });
  }

  async undo(noticeId: string): Promise<void> {
    const found = this.#offers.get(noticeId);
    if (found === undefined) return;
    this.#offers.delete(noticeId);
    clearTimeout(found.timer);
    await found.offer.undo();
  }

  /** Lets all of them expire. */
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
