import { type Signal, signal } from '@preact/signals';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ChatHostMessage, PageView } from '../../../pages/chat/protocol.ts';
import { ContextList } from '../context/contextList.ts';
import { withoutMention } from '../context/mention.ts';
import type { ChoiceMove } from '../controls/activeChoice.ts';
import type { PanelMemory } from '../panelMemory.ts';
import type { Popover } from '../popover.ts';
import { PromptChoice, promptQuery } from '../prompts/promptChoice.ts';

/** What the composition needs from the composer. */
export interface ComposerHost {
  readonly popover: Signal<Popover | undefined>;
  post(message: ChatPanelMessage): void;
  /** Focuses the text field. */
  takeFocus(): void;
  /** Closes the open popover and focuses the text field. */
  closePopover(): void;
}

/** The question that is being written: its text, and the lists of prompts and attachable items that it opens. */
export class ComposerState {
  /** The text in the text field. It survives reloads of the page. */
  readonly draft: Signal<string>;
  /** The cursor position after a change of the draft that was not typed. */
  readonly cursor = signal<{ readonly at: number } | undefined>(undefined);
  readonly prompts: PromptChoice;
  readonly context: ContextList;
  /** The web page that was attached last. */
  readonly page = signal<PageView | undefined>(undefined);
  /** The mentions of addresses that are being read, by the ID of their choice. */
  readonly #fetched = new Map<string, string>();
  readonly #memory: PanelMemory;
  readonly #around: ComposerHost;

  constructor(memory: PanelMemory, around: ComposerHost) {
    this.#memory = memory;
    this.#around = around;
    this.draft = signal(memory.draft);
    this.prompts = new PromptChoice(this.draft);
    this.context = new ContextList((message) => around.post(message));
  }

  setDraft(text: string): void {
    this.draft.value = text;
    this.#memory.draft = text;
    this.#around.post({ type: 'draft', text });
  }

  /** Handles typing: a leading slash opens the list of prompts, an `@` the list of attachable items. */
  type(text: string, cursor = text.length): void {
    const { popover } = this.#around;
    const isFirst = promptQuery(this.draft.value) === undefined;
    this.setDraft(text);
    this.prompts.active.reset();
    if (popover.value === 'page') popover.value = undefined;
    if (promptQuery(text) === undefined) {
      if (popover.value === 'prompts') popover.value = undefined;
    } else if (isFirst) {
      this.#around.post({ type: 'listPrompts' });
      popover.value = 'prompts';
    }
    this.#followMention(this.context.follow(text, cursor));
  }

  /** Appends an `@` and opens the list of attachable items, or closes it. */
  mention(): void {
    if (this.#around.popover.value === 'context') {
      this.closeChoices();
      return;
    }
    const draft = this.draft.value;
    const text = draft === '' || /\s$/.test(draft) ? `${draft}@` : `${draft} @`;
    this.setDraft(text);
    this.#around.takeFocus();
    this.#followMention(this.context.follow(text, text.length, true));
  }

  /** Replaces the mention with the chosen attachment. The mention of an address stays until its page has been read. */
  attach(choice = this.context.chosen): void {
    const { mention } = this.context;
    if (choice === undefined || mention === undefined) return;
    if (choice.isFetched === true) {
      this.#fetched.set(choice.id, `@${mention.query}`);
      this.context.leave();
    } else this.#removeMention();
    this.#around.popover.value = undefined;
    this.#around.post({ type: 'attach', choiceId: choice.id });
    this.#around.takeFocus();
  }

  /** Removes the mention of an address whose page was attached, and shows the page. */
  attachedPage(choiceId: string, page: PageView): void {
    const mention = this.#fetched.get(choiceId);
    this.#fetched.delete(choiceId);
    const start = mention === undefined ? -1 : this.draft.value.indexOf(mention);
    if (mention !== undefined && start !== -1) {
      this.cursor.value = { at: start };
      this.setDraft(withoutMention(this.draft.value, { start, end: start + mention.length, query: '' }));
    }
    this.page.value = page;
    this.#around.popover.value = 'page';
    // The question whether the page may be read has taken the focus.
    this.#around.takeFocus();
  }

  /** Inserts a prompt into the composer, by default the active one. */
  usePrompt(prompt = this.prompts.chosen): void {
    if (prompt === undefined) return;
    this.#around.popover.value = undefined;
    this.#around.post({ type: 'usePrompt', promptId: prompt.id });
  }

  /** Returns the list that the text field's keys control, if it is not empty. */
  get choosing(): 'prompts' | 'context' | undefined {
    const popover = this.#around.popover.value;
    if (popover === 'prompts' && this.prompts.chosen !== undefined) return popover;
    const isOpen = popover === 'context' && (this.context.isWaiting || this.context.chosen !== undefined);
    return isOpen ? popover : undefined;
  }

  moveChoice(to: ChoiceMove): void {
    if (this.choosing === 'context') this.context.active.move(to);
    else this.prompts.active.move(to);
  }

  /** Keys can be faster than the host: then the first of its results is chosen when they arrive. */
  useChoice(): void {
    if (this.choosing !== 'context') this.usePrompt();
    else if (this.context.isWaiting) this.context.takeFirst();
    else this.attach();
  }

  receiveContext({ query, choices, unsearched }: Extract<ChatHostMessage, { type: 'context' }>): void {
    if (this.context.receive(query, choices, unsearched)) this.attach();
  }

  closeChoices(): void {
    if (this.#around.popover.value === 'context' && this.context.isButtonsOwn) this.#removeMention();
    this.#around.closePopover();
  }

  #followMention(mention: ReturnType<ContextList['follow']>): void {
    const { popover } = this.#around;
    if (mention === 'opened') popover.value = 'context';
    else if (mention === 'none' && popover.value === 'context') popover.value = undefined;
  }

  #removeMention(): void {
    const { mention } = this.context;
    if (mention === undefined) return;
    const text = withoutMention(this.draft.value, mention);
    this.cursor.value = { at: mention.start };
    this.setDraft(text);
    this.context.follow(text, 0);
  }
}
