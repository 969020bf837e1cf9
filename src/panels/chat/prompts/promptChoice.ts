import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { PromptView } from '../../../editor/chat/protocol.ts';
import { ActiveChoice } from '../controls/activeChoice.ts';
import { beginsWith, matchingPrompts, promptQuery } from './promptMatches.ts';

/** The list of prompts that match the draft, and the active one. */
export class PromptChoice {
  /** All prompts of the library. */
  readonly all = signal<readonly PromptView[]>([]);
  readonly query: ReadonlySignal<string>;
  readonly matches: ReadonlySignal<readonly PromptView[]>;
  readonly active: ActiveChoice<PromptView>;

  constructor(draft: ReadonlySignal<string>) {
    this.query = computed(() => promptQuery(draft.value) ?? '');
    this.matches = computed(() => matchingPrompts(this.all.value, this.query.value));
    // A name that begins with the query is meant more likely than a description that contains it.
    this.active = new ActiveChoice(this.matches, (prompts) =>
      Math.max(
        0,
        prompts.findIndex((prompt) => beginsWith(prompt, this.query.value)),
      ),
    );
  }

  get chosen(): PromptView | undefined {
    return this.active.item.value;
  }
}
