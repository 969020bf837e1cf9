import { batch } from '@preact/signals';
import type { ChatHostMessage } from '../../pages/chat/protocol.ts';

/** Messages of the host that are not applied yet. Deltas wait for the next frame, so that each frame renders once. */
export class MessageQueue {
  readonly #schedule: (flush: () => void) => void;
  readonly #apply: (message: ChatHostMessage) => void;
  #waiting: ChatHostMessage[] = [];
  #isScheduled = false;

  /** @param schedule runs the function at the start of a coming frame. */
  constructor(schedule: (flush: () => void) => void, apply: (message: ChatHostMessage) => void) {
    this.#schedule = schedule;
    this.#apply = apply;
  }

  /** Adds a message. Anything but a delta is applied immediately, after the waiting deltas. */
  add(message: ChatHostMessage): void {
    this.#waiting.push(message);
    if (message.type !== 'delta') {
      this.#flush();
    } else if (!this.#isScheduled) {
      this.#isScheduled = true;
      this.#schedule(() => this.#flush());
    }
  }

  #flush(): void {
    const messages = this.#waiting;
    this.#waiting = [];
    this.#isScheduled = false;
    batch(() => {
      for (const message of messages) this.#apply(message);
    });
  }
}
