import { computed, type ReadonlySignal, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ChatState } from '../../../pages/chat/protocol.ts';
import { canBeSent } from '../meter/obstacle.ts';
import type { PanelMemory } from '../panelMemory.ts';
import type { ComposerState } from './composition.ts';

/** What the queued message needs from the panel. */
export interface QueueHost {
  readonly state: ReadonlySignal<ChatState | undefined>;
  readonly busy: ReadonlySignal<boolean>;
  readonly composition: ComposerState;
  readonly memory: PanelMemory;
  post(message: ChatPanelMessage): void;
  announce(text: string): void;
  takeFocus(): void;
  scrollToEnd(): void;
}

/** A message that waits for the end of an answer, at most one per chat. It survives reloads of the page. */
export class QueuedMessage {
  /** Empty if no message is queued in the current chat. */
  readonly text: ReadonlySignal<string>;
  readonly #panel: QueueHost;
  readonly #byConversation = signal<Readonly<Record<string, string>>>({});

  constructor(panel: QueueHost) {
    this.#panel = panel;
    this.#byConversation.value = panel.memory.queued;
    this.text = computed(() => this.#byConversation.value[this.#conversationId] ?? '');
  }

  /** Queues the draft. If a message is already queued, the draft is appended to it. */
  add(): void {
    const { composition } = this.#panel;
    const text = composition.draft.value.trim();
    if (text === '') return;
    const earlier = this.text.value;
    this.#set(earlier === '' ? text : `${earlier}\n\n${text}`);
    composition.setDraft('');
    this.count();
    this.#panel.announce(l10n.t('Queued. It is sent when the answer is complete.'));
  }

  /** Requests a token count of what is sent next. */
  count(): void {
    this.#panel.post({ type: 'draft', text: this.text.value || this.#panel.composition.draft.value });
  }

  /** Sends the queued message, unless something prevents that. */
  send(): void {
    const text = this.text.value;
    const { busy, state } = this.#panel;
    if (text === '' || busy.value || !canBeSent(state.value, text)) return;
    this.#set('');
    this.#panel.post({ type: 'send', text, queued: true });
    this.#panel.scrollToEnd();
  }

  /** Sends the queued message from its button, which is then removed. */
  sendNow(): void {
    this.send();
    this.#panel.takeFocus();
  }

  /** Moves the queued message back into the composer, before the current draft. */
  edit(): void {
    const { composition } = this.#panel;
    const parts = [this.text.value, composition.draft.value].filter((part) => part !== '');
    this.#set('');
    composition.setDraft(parts.join('\n\n'));
    this.#panel.takeFocus();
  }

  remove(): void {
    this.#set('');
    this.count();
    this.#panel.takeFocus();
  }

  get #conversationId(): string {
    return this.#panel.state.value?.conversationId ?? '';
  }

  #set(text: string): void {
    const { [this.#conversationId]: _, ...others } = this.#byConversation.value;
    this.#byConversation.value = text === '' ? others : { ...others, [this.#conversationId]: text };
    this.#panel.memory.queued = this.#byConversation.value;
  }
}
