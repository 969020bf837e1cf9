import { computed, type ReadonlySignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ChatState } from '../../../pages/chat/protocol.ts';
import { canBeSent } from '../meter/obstacle.ts';
import type { ComposerState } from './composerState.ts';

/** What the queued message needs from the panel. */
export interface QueueHost {
  readonly state: ReadonlySignal<ChatState | undefined>;
  readonly busy: ReadonlySignal<boolean>;
  readonly composition: ComposerState;
  post(message: ChatPanelMessage): void;
  announce(text: string): void;
  takeFocus(): void;
  scrollToEnd(): void;
}

/** The message that waits for the end of an answer, which the host keeps and sends. */
export class QueuedMessage {
  /** Empty if no message is queued in the current chat. */
  readonly text: ReadonlySignal<string>;
  readonly #panel: QueueHost;

  constructor(panel: QueueHost) {
    this.#panel = panel;
    this.text = computed(() => panel.state.value?.queued ?? '');
  }

  /** Queues the draft. If a message is already queued, the draft is appended to it. */
  add(): void {
    const { composition } = this.#panel;
    const text = composition.draft.value.trim();
    if (text === '') return;
    this.#panel.post({ type: 'queue', text });
    composition.setDraft('');
    this.#panel.announce(l10n.t('Queued. It is sent when the answer is complete.'));
  }

  /** Sends the queued message from its button, unless something prevents that. */
  sendNow(): void {
    const { busy, state } = this.#panel;
    if (!busy.value && canBeSent(state.value, this.text.value)) {
      this.#panel.post({ type: 'sendQueued' });
      this.#panel.scrollToEnd();
    }
    this.#panel.takeFocus();
  }

  /** Moves the queued message back into the composer, before the current draft. */
  edit(): void {
    const { composition } = this.#panel;
    const parts = [this.text.value, composition.draft.value].filter((part) => part !== '');
    this.remove();
    composition.setDraft(parts.join('\n\n'));
  }

  remove(): void {
    this.#panel.post({ type: 'dropQueued' });
    this.#panel.takeFocus();
  }
}
