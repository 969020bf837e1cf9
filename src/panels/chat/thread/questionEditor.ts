import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ChatState } from '../../../pages/chat/protocol.ts';

/** What the editor of a question needs from the panel. */
interface EditorHost {
  readonly state: ReadonlySignal<ChatState | undefined>;
  readonly busy: ReadonlySignal<boolean>;
  post(message: ChatPanelMessage): void;
  takeFocus(): void;
  scrollToEnd(): void;
}

/** Which question is being edited, and the text with which its editor was last left. */
export class QuestionEditor {
  /** ID of the question that is being edited. */
  readonly questionId = signal<string | undefined>(undefined);
  /** Whether the question that is being edited is in the current version of the chat. */
  readonly isOpen: ReadonlySignal<boolean>;
  readonly #panel: EditorHost;
  /** The text that can be brought back, with the question whose editor was left. */
  #left: { readonly questionId: string; readonly text: string } | undefined;

  constructor(panel: EditorHost) {
    this.#panel = panel;
    this.isOpen = computed(() => this.#isShown(this.questionId.value));
  }

  open(questionId: string): void {
    this.#left = undefined;
    if (!this.#panel.busy.value) this.questionId.value = questionId;
  }

  /** Opens the editor of the last question. */
  openLast(): void {
    const last = this.#panel.state.value?.turns.findLast(({ role }) => role === 'user');
    if (last !== undefined) this.open(last.id);
  }

  /** The text can be brought back as long as this version is shown, because the host may not send it. */
  send(questionId: string, text: string): void {
    this.#left = { questionId, text };
    this.#close();
    this.#panel.post({ type: 'edit', turnId: questionId, text });
    this.#panel.scrollToEnd();
  }

  /** Closes the editor. Its text, if it was changed, can be brought back. */
  leave(questionId: string, text: string, original: string): void {
    if (text !== original) this.#left = { questionId, text };
    this.#close();
  }

  /**
   * Opens the editor that was left last, with its text.
   * @returns false if there is none in this chat.
   */
  reopen(): boolean {
    const questionId = this.#left?.questionId;
    if (this.#panel.busy.value || !this.#isShown(questionId)) return false;
    this.questionId.value = questionId;
    return true;
  }

  /** Returns the text with which the editor of a question was left, once. */
  takeLeftText(questionId: string): string | undefined {
    const left = this.#left;
    if (left?.questionId !== questionId) return undefined;
    this.#left = undefined;
    return left.text;
  }

  #close(): void {
    this.questionId.value = undefined;
    this.#panel.takeFocus();
  }

  #isShown(questionId: string | undefined): boolean {
    return this.#panel.state.value?.turns.some(({ id }) => id === questionId) === true;
  }
}
