import { type ReadonlySignal, signal } from '@preact/signals';
import type { PanelTransport } from '../../pages/chat/panelMessages.ts';
import type { DraftPlace, KeptState, ReadingPlace } from '../../pages/chat/protocol.ts';

/** Maximum number of remembered expanded sections. The oldest are forgotten first. */
const MAX_OPEN = 200;

/** What a panel stores itself while it is hidden, moved, reloaded, or killed; the host keeps the rest. */
export class PanelMemory {
  readonly #transport: Pick<PanelTransport, 'kept' | 'keep'>;
  readonly #open = signal<ReadonlySet<string>>(new Set());
  #state: KeptState;

  constructor(transport: Pick<PanelTransport, 'kept' | 'keep'>) {
    this.#transport = transport;
    this.#state = transport.kept() ?? { draft: '' };
    this.#open.value = new Set(this.#state.open);
  }

  get draft(): string {
    return this.#state.draft;
  }

  set draft(draft: string) {
    this.#keep({ ...this.#state, draft });
  }

  /** Messages that wait for the end of an answer, by the ID of their conversation. */
  get queued(): Readonly<Record<string, string>> {
    return this.#state.queued ?? {};
  }

  set queued(queued: Readonly<Record<string, string>>) {
    const { queued: _, ...rest } = this.#state;
    this.#keep(Object.keys(queued).length === 0 ? rest : { ...rest, queued });
  }

  /**
   * Records the current position in the conversation.
   * @returns false if the draft was stored before the last question: the editor may write a state seconds after it is
   * set, so a reload can restore an earlier one.
   */
  follow(place: DraftPlace): boolean {
    const { draftPlace: before } = this.#state;
    const isSame = before?.conversationId === place.conversationId;
    if (isSame && before.questionId === place.questionId) return true;
    this.#keep({ ...this.#state, draftPlace: place });
    return !isSame;
  }

  /** Initially collapsed sections that were expanded, by the panel's own names. */
  get open(): ReadonlySignal<ReadonlySet<string>> {
    return this.#open;
  }

  setOpen(name: string, isOpen: boolean): void {
    const others = [...this.#open.value].filter((one) => one !== name);
    const open = isOpen ? [...others, name].slice(-MAX_OPEN) : others;
    this.#open.value = new Set(open);
    this.#keep({ ...this.#state, open });
  }

  /** The scroll position in a conversation; undefined at its end. */
  placeIn(conversationId: string): ReadingPlace | undefined {
    const { place } = this.#state;
    return place?.conversationId === conversationId ? place : undefined;
  }

  setPlace(place: ReadingPlace | undefined): void {
    const { place: before, ...rest } = this.#state;
    if (place === undefined && before === undefined) return;
    this.#keep(place === undefined ? rest : { ...rest, place });
  }

  #keep(state: KeptState): void {
    this.#state = state;
    this.#transport.keep(state);
  }
}
