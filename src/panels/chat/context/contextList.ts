import { computed, signal } from '@preact/signals';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ContextChoiceView } from '../../../pages/chat/protocol.ts';
import { ActiveChoice } from '../controls/activeChoice.ts';
import { type Mention, mentionAt } from './mention.ts';

/** The list of attachable items and its active row. */
export class ContextList {
  /** Undefined until the host has answered for a new mention. */
  readonly choices = signal<readonly ContextChoiceView[] | undefined>(undefined);
  /** Names of folders whose files cannot be listed. */
  readonly unsearched = signal<readonly string[]>([]);
  readonly active = new ActiveChoice(computed(() => this.choices.value ?? []));
  readonly #post: (message: ChatPanelMessage) => void;
  #mention: Mention | undefined;
  #byButton = false;
  /** The query of the shown items. */
  #listed: string | undefined;
  #takesFirst = false;

  constructor(post: (message: ChatPanelMessage) => void) {
    this.#post = post;
  }

  get mention(): Mention | undefined {
    return this.#mention;
  }

  get chosen(): ContextChoiceView | undefined {
    return this.active.item.value;
  }

  /** Whether the host has not yet answered for the text after the `@`. The shown items are those of an earlier text. */
  get isWaiting(): boolean {
    return this.#mention !== undefined && this.#listed !== this.#mention.query;
  }

  /**
   * Whether the list was opened by the button's `@` and nothing has been typed after it, so that closing the list
   * removes the `@`.
   */
  get isButtonsOwn(): boolean {
    return this.#byButton && this.#mention?.query === '';
  }

  /**
   * Updates the mention after typing.
   * @returns `opened` if a new mention has started, `none` if there is none.
   */
  follow(draft: string, cursor: number, byButton = false): 'opened' | 'same' | 'none' {
    const before = this.#mention;
    this.#mention = mentionAt(draft, cursor);
    this.#takesFirst = false;
    if (this.#mention === undefined) return 'none';
    const isNew = before?.start !== this.#mention.start;
    if (isNew) {
      this.#byButton = byButton;
      this.choices.value = undefined;
      this.#listed = undefined;
    }
    this.active.reset();
    this.#post({ type: 'listContext', query: this.#mention.query });
    return isNew ? 'opened' : 'same';
  }

  /** Chooses the first item as soon as the host has answered. */
  takeFirst(): void {
    this.#takesFirst = true;
  }

  /** Forgets the mention, so that the next letter in it opens the list again. */
  leave(): void {
    this.#mention = undefined;
    this.#takesFirst = false;
  }

  /**
   * Shows the host's results. Results of earlier queries are ignored.
   * @returns true if the first of them was chosen before they arrived.
   */
  receive(query: string, choices: readonly ContextChoiceView[], unsearched: readonly string[] = []): boolean {
    if (query !== this.#mention?.query) return false;
    this.choices.value = choices;
    this.unsearched.value = unsearched;
    this.#listed = query;
    // Items that arrive later do not move what the keys choose.
    this.active.hold();
    const takesFirst = this.#takesFirst;
    this.#takesFirst = false;
    return takesFirst && choices.length > 0;
  }
}
