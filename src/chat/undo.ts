import { randomUUID } from 'node:crypto';
import type { ChatHostMessage, NoticeView } from '../pages/chat/protocol.ts';

/** How long an action can be undone, in milliseconds. The panel shows the notice for a shorter time. */
const KEPT_MS = 60_000;

export interface Undoable {
  /** The completed action, such as `Chat deleted.` */
  readonly text: string;
  readonly undo: () => unknown;
  /** It changes the chat shown, so the offer ends when another chat is shown. */
  readonly isOfChat?: true;
  /** Called when the action can no longer be undone. */
  readonly onExpired?: () => unknown;
}

interface UndoOffer {
  readonly offer: Undoable;
  /** Undefined for an offer that no time ends. */
  readonly timer?: NodeJS.Timeout;
}

/** Offers to undo actions. Each offer lasts for its own time, even if others follow. */
export class UndoOffers {
  readonly #post: (message: ChatHostMessage) => void;
  readonly #offers = new Map<string, UndoOffer>();
  #lasting: NoticeView | undefined;

  constructor(post: (message: ChatHostMessage) => void) {
    this.#post = post;
  }

  offer(offer: Undoable): void {
    const id = randomUUID();
    const timer = setTimeout(() => this.#expire(id), KEPT_MS);
    this.#offers.set(id, { offer, timer });
    this.#post({ type: 'notice', notice: { id, text: offer.text } });
  }

  /**
   * Offers to undo an action outside the chat, whose result the user may want to look at first. The offer ends when the
   * user dismisses it or asks the next question. There is one at a time.
   */
  offerLasting(offer: Undoable): void {
    this.endLasting();
    const id = randomUUID();
    this.#offers.set(id, { offer });
    this.#lasting = { id, text: offer.text, lasts: true };
    this.repeat();
  }

  /** Shows the lasting offer in a panel that was hidden or loaded again. */
  repeat(): void {
    if (this.#lasting !== undefined) this.#post({ type: 'notice', notice: this.#lasting });
  }

  endLasting(): void {
    if (this.#lasting !== undefined) this.#withdraw(this.#lasting.id);
  }

  /** Called when another chat is shown. */
  endOfChat(): void {
    for (const [id, { offer }] of [...this.#offers]) if (offer.isOfChat === true) this.#withdraw(id);
  }

  async undo(noticeId: string): Promise<void> {
    const found = this.#offers.get(noticeId);
    if (found === undefined) return;
    this.#remove(noticeId, found);
    await found.offer.undo();
  }

  /** Lets all offers expire. */
  dispose(): void {
    for (const id of [...this.#offers.keys()]) this.#expire(id);
  }

  #withdraw(id: string): void {
    this.#expire(id);
    this.#post({ type: 'noticeWithdrawn', noticeId: id });
  }

  #expire(id: string): void {
    const found = this.#offers.get(id);
    if (found === undefined) return;
    this.#remove(id, found);
    found.offer.onExpired?.();
  }

  #remove(id: string, { timer }: UndoOffer): void {
    this.#offers.delete(id);
    clearTimeout(timer);
    if (this.#lasting?.id === id) this.#lasting = undefined;
  }
}
