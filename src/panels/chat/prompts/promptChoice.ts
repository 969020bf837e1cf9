import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { PromptView } from '../../../pages/chat/protocol.ts';
import { ActiveChoice } from '../controls/activeChoice.ts';

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

/** Returns the text after a leading slash if the draft is a single word; otherwise undefined. */
export function promptQuery(draft: string): string | undefined {
  return /^\/(\S*)$/.exec(draft)?.[1];
}

/** Returns the prompts that contain the query in the name or description, in their order. */
export function matchingPrompts(prompts: readonly PromptView[], query: string): readonly PromptView[] {
  const wanted = query.toLowerCase();
  return prompts.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted));
}

function beginsWith({ name }: PromptView, query: string): boolean {
  return name.toLowerCase().startsWith(query.toLowerCase());
}
