import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { stepped } from '../../shared/keys.ts';

/** The active item of a list that changes while it is open. It stays the same when others are inserted before it. */
export class ActiveChoice<Choice extends { readonly id: string }> {
  /** -1 if there are no items. */
  readonly index: ReadonlySignal<number>;
  readonly item: ReadonlySignal<Choice | undefined>;
  readonly #items: ReadonlySignal<readonly Choice[]>;
  readonly #id = signal<string | undefined>(undefined);

  /** @param initial Returns the index of the item that is active before the user moves. */
  constructor(items: ReadonlySignal<readonly Choice[]>, initial: (items: readonly Choice[]) => number = () => 0) {
    this.#items = items;
    this.index = computed(() => {
      const at = items.value.findIndex(({ id }) => id === this.#id.value);
      return at === -1 ? Math.min(initial(items.value), items.value.length - 1) : at;
    });
    this.item = computed(() => items.value[this.index.value]);
  }

  reset(): void {
    this.#id.value = undefined;
  }

  /** Keeps the active item when the list changes. */
  hold(): void {
    this.#id.value = this.item.value?.id;
  }

  activate(id: string): void {
    this.#id.value = id;
  }

  move(to: ChoiceMove): void {
    const count = this.#items.value.length;
    const index = to === 'first' ? 0 : to === 'last' ? count - 1 : stepped(this.index.value, to, count);
    this.#id.value = this.#items.value[index]?.id;
  }
}

/** A step of the arrow keys, or the ends of the list. */
export type ChoiceMove = 1 | -1 | 'first' | 'last';
