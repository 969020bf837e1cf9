import { computed, signal } from '@preact/signals';
import type {
  ChangeName,
  ReviewDecision,
  ReviewedFile,
  ReviewHostMessage,
  ReviewState,
} from '../../pages/agentReview/protocol.ts';
import type { ReviewPageMessage } from '../../pages/agentReview/reviewMessages.ts';
import { stepped } from '../shared/keys.ts';
import { PageStore, storeContext } from '../shared/pageStore.ts';

/** A change of a file, in the order of the page. */
export interface ListedChange extends ChangeName {
  readonly isOpen: boolean;
}

/** The changes on the page, and which of them is the current one. */
export class ReviewStore extends PageStore<ReviewHostMessage, ReviewPageMessage> {
  /** Undefined until the host's first message. */
  readonly state = signal<ReviewState | undefined>(undefined);
  readonly changes = computed(() => (this.state.value?.files ?? []).flatMap(changesOf));
  readonly open = computed(() => this.changes.value.filter(({ isOpen }) => isOpen));
  /** The chosen change, or the next open one once it is decided. Undefined if all are decided. */
  readonly current = computed(() => {
    const changes = this.changes.value;
    const at = changes.findIndex((change) => isSame(change, this.#chosen.value));
    return changes.slice(Math.max(0, at)).find(({ isOpen }) => isOpen) ?? this.open.value[0];
  });
  /** Whether there is one change, whose own buttons decide on all. */
  readonly hasOneChange = computed(() => {
    const [file, ...others] = this.state.value?.files ?? [];
    return file?.change === 'edited' && others.length === 0 && this.changes.value.length === 1;
  });
  readonly collapsed = signal<ReadonlySet<string>>(new Set());
  /** How often the current change was to be focused. */
  readonly moves = signal(0);
  #isToBeFocused = false;
  /** The last decision that the host has applied. */
  readonly decision = signal<ReviewDecision | undefined>(undefined);
  /** Whether the user has decided or undone something, so that pressed buttons may be gone. */
  hasActed = false;
  #asked: ReviewDecision | undefined;
  readonly #chosen = signal<ChangeName | undefined>(undefined);

  choose(change: ChangeName): void {
    this.#chosen.value = change;
  }

  /** Moves to the next or previous open change. */
  move(step: 1 | -1): void {
    const open = this.open.value;
    const at = open.findIndex((change) => isSame(change, this.current.value));
    const next = open[stepped(at, step, open.length)];
    if (next === undefined) return;
    this.choose(next);
    if (this.collapsed.value.has(next.file)) this.toggle(next.file);
    this.focusCurrent();
  }

  /** The current change focuses itself when it is rendered, because the user may move on until then. */
  focusCurrent(): void {
    this.#isToBeFocused = true;
    this.moves.value += 1;
  }

  /** Whether the current change is to be focused. It is asked once. */
  takeFocus(): boolean {
    const isToBeFocused = this.#isToBeFocused;
    this.#isToBeFocused = false;
    return isToBeFocused;
  }

  decide(decision: ReviewDecision, changes: readonly ChangeName[]): void {
    if (changes.length === 0) return;
    const [first] = changes;
    if (first !== undefined) this.choose(first);
    this.hasActed = true;
    this.#asked = decision;
    this.post({ type: 'decide', decision, changes: changes.map(({ file, id }) => ({ file, id })) });
  }

  undo({ file, id }: ChangeName): void {
    this.hasActed = true;
    this.post({ type: 'undo', file, id });
  }

  decideCurrent(decision: ReviewDecision): void {
    const current = this.current.value;
    if (current !== undefined) this.decide(decision, [current]);
  }

  openOf(file: string): readonly ListedChange[] {
    return this.open.value.filter((change) => change.file === file);
  }

  /** Shows or hides the changes of a file. */
  toggle(file: string): void {
    const collapsed = new Set(this.collapsed.value);
    if (!collapsed.delete(file)) collapsed.add(file);
    this.collapsed.value = collapsed;
  }

  protected override receive({ state }: ReviewHostMessage): void {
    const before = this.open.value.length;
    this.state.value = state;
    if (this.#asked === undefined || this.open.value.length >= before) return;
    this.decision.value = this.#asked;
    this.#asked = undefined;
  }
}

function changesOf({ file, blocks }: ReviewedFile): ListedChange[] {
  return blocks.flatMap((block) =>
    block.type === 'change' || block.type === 'decided'
      ? [{ file, id: block.id, isOpen: block.type === 'change' }]
      : [],
  );
}

export function isSame(one: ChangeName, other: ChangeName | undefined): boolean {
  return one.file === other?.file && one.id === other.id;
}

export const [StoreProvider, useStore] = storeContext<ReviewStore>();
