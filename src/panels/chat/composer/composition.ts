import { type Signal, signal } from '@preact/signals';
import type { ChatPanelMessage } from '../../../editor/chat/protocol.ts';
import { ContextList } from '../context/contextList.ts';
import { withoutMention } from '../context/mention.ts';
import type { PanelMemory } from '../panelMemory.ts';
import type { Popover } from '../popover.ts';
import { PromptChoice } from '../prompts/promptChoice.ts';
import { promptQuery } from '../prompts/promptMatches.ts';

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
export class Composition {
  /** The text in the text field. It survives reloads of the page. */
  readonly draft: Signal<string>;
  /** The cursor position after a change of the draft that was not typed. */
  readonly cursor = signal<{ readonly at: number } | undefined>(undefined);
  readonly prompts: PromptChoice;
  readonly context: ContextList;
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
    this.prompts.reset();
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

  /** Replaces the mention with the chosen attachment. */
  attach(choice = this.context.chosen): void {
    if (choice === undefined || this.context.mention === undefined) return;
    this.#removeMention();
    this.#around.popover.value = undefined;
    this.#around.post({ type: 'attach', choiceId: choice.id });
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
    return popover === 'context' && this.context.chosen !== undefined ? popover : undefined;
  }

  moveChoice(step: 1 | -1): void {
    if (this.choosing === 'context') this.context.move(step);
    else this.prompts.move(step);
  }

  useChoice(): void {
    if (this.choosing === 'context') this.attach();
    else this.usePrompt();
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
