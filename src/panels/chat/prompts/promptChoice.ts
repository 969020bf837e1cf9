import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { PromptView } from '../../../editor/chat/protocol.ts';
import { stepped } from '../../shared/keys.ts';
import { matchingPrompts, promptQuery } from './promptMatches.ts';

/** The list of prompts that match the draft, and the active one. */
export class PromptChoice {
  /** All prompts of the library. */
  readonly all = signal<readonly PromptView[]>([]);
  readonly matches: ReadonlySignal<readonly PromptView[]>;
  /** Index in the matches; -1 if there are none. */
  readonly active: ReadonlySignal<number>;
  readonly #active = signal(0);

  constructor(draft: ReadonlySignal<string>) {
    this.matches = computed(() => matchingPrompts(this.all.value, promptQuery(draft.value) ?? ''));
    this.active = computed(() => Math.min(this.#active.value, this.matches.value.length - 1));
  }

  get chosen(): PromptView | undefined {
    return this.matches.value[this.active.value];
  }

  /** Activates the first match. */
  reset(): void {
    this.#active.value = 0;
  }

  move(step: 1 | -1): void {
    this.#active.value = stepped(this.active.value, step, this.matches.value.length);
  }
}
