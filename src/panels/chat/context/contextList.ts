import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ChatPanelMessage, ContextChoiceView } from '../../../editor/chat/protocol.ts';
import { stepped } from '../../shared/keys.ts';
import { type Mention, mentionAt } from './mention.ts';

/** The list of attachable items and its active row. */
export class ContextList {
  /** Undefined until the host has answered for the first time. */
  readonly choices = signal<readonly ContextChoiceView[] | undefined>(undefined);
  /** Names of folders whose files cannot be listed. */
  readonly unsearched = signal<readonly string[]>([]);
  readonly active: ReadonlySignal<number>;
  readonly #active = signal(0);
  readonly #post: (message: ChatPanelMessage) => void;
  #mention: Mention | undefined;
  #byButton = false;

  constructor(post: (message: ChatPanelMessage) => void) {
    this.#post = post;
    this.active = computed(() => Math.min(this.#active.value, (this.choices.value?.length ?? 0) - 1));
  }

  get mention(): Mention | undefined {
    return this.#mention;
  }

  get chosen(): ContextChoiceView | undefined {
    return this.choices.value?.[this.active.value];
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
    if (this.#mention === undefined) return 'none';
    const isNew = before?.start !== this.#mention.start;
    if (isNew) this.#byButton = byButton;
    this.#active.value = 0;
    this.#post({ type: 'listContext', query: this.#mention.query });
    return isNew ? 'opened' : 'same';
  }

  move(step: 1 | -1): void {
    this.#active.value = stepped(this.active.value, step, this.choices.value?.length ?? 0);
  }

  /** Shows the host's results. Results of earlier queries are ignored. */
  receive(query: string, choices: readonly ContextChoiceView[], unsearched: readonly string[] = []): void {
    if (query !== this.#mention?.query) return;
    this.choices.value = choices;
    this.unsearched.value = unsearched;
  }
}
