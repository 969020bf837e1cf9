import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import type { Log } from '../log/log.ts';
import type { ChatParts } from './chatParts.ts';
import type { QueuedTexts } from './queuedTexts.ts';
import type { TurnActions } from './turnActions.ts';

interface QueueServices {
  readonly queued: QueuedTexts;
  readonly log: Log;
}

/** The chat whose message waits. */
interface QueueOwner extends Pick<ChatParts, 'conversation' | 'composition'> {
  readonly id: string;
  readonly isRunning: boolean;
  readonly turns: Pick<TurnActions, 'sendNext'>;
  readonly estimates: { update(): void };
}

/** The message of a chat that is sent when the answer in progress is complete, whether or not the chat is shown then. */
export class ChatQueue {
  readonly #chat: QueueOwner;
  readonly #services: QueueServices;
  readonly #onDidChange: () => void;
  /** Number of messages that no longer wait, and are being sent. */
  #sending = 0;

  /** @param onDidChange called when another text waits, or when one was sent. */
  constructor(chat: QueueOwner, services: QueueServices, onDidChange: () => void) {
    this.#chat = chat;
    this.#services = services;
    this.#onDidChange = onDidChange;
  }

  /** Empty if nothing waits. */
  get text(): string {
    return this.#services.queued.textIn(this.#chat.id);
  }

  /** The text whose cost is shown: the one being written, or else the message that waits. */
  get nextText(): string {
    return this.#chat.composition.estimated.draft || this.text;
  }

  /** Whether a message waits, or is being sent and not yet recorded. */
  get isNeeded(): boolean {
    return this.#sending > 0 || this.text !== '';
  }

  /** Adds a message to the one that waits. The answer in progress may be complete by now. */
  add(text: string): void {
    this.#services.queued.add(this.#chat.id, text);
    this.#changed();
    if (!this.#chat.isRunning) this.sendAfterAnswer();
  }

  drop(): void {
    this.#services.queued.remove(this.#chat.id);
    this.#changed();
  }

  /** Sends the message that waits, after what is in progress. */
  async send(): Promise<void> {
    const { text } = this;
    if (text === '') return;
    this.#sending += 1;
    const sent = this.#chat.turns.sendNext(text);
    this.drop();
    try {
      await sent;
    } finally {
      this.#sending -= 1;
      this.#onDidChange();
    }
  }

  /** Sends it if the last answer is complete. Otherwise, the user decides. */
  sendAfterAnswer(): void {
    const { entries, comparison } = this.#chat.conversation.value;
    const last = entries.at(-1);
    const isComplete = last?.role === 'assistant' && last.status === 'complete';
    if (!isComplete || comparison.length > 0) return;
    this.send().catch((error: unknown) => {
      this.#services.log.warn('A queued message was not sent', error);
      void vscode.window.showErrorMessage(errorText(error));
    });
  }

  #changed(): void {
    this.#onDidChange();
    this.#chat.estimates.update();
  }
}
