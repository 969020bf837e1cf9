import { type ReadonlySignal, signal } from '@preact/signals';
import type { PanelTransport } from '../../pages/chat/panelMessages.ts';
import type { DraftPlace, KeptState, ReadingPlace } from '../../pages/chat/protocol.ts';

/** Maximum number of remembered expanded sections. The oldest are forgotten first. */
const MAX_OPEN = 200;

/** Maximum number of remembered drafts of other chats. The oldest are forgotten first. */
const MAX_DRAFTS = 50;

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

  /**
   * Records the current position in the conversation. Each chat has its own draft.
   * @param isRestored whether the draft was stored before a reload. The editor may write a state seconds after it is set,
   *   so the draft may be from before the last question.
   * @returns the draft to show instead; undefined for the same one.
   */
  follow(place: DraftPlace, isRestored: boolean): string | undefined {
    const { draftPlace: before, draft, drafts = {} } = this.#state;
    const isSame = before?.conversationId === place.conversationId;
    if (isSame && before.questionId === place.questionId) return undefined;
    const [from, to] = [before && nameOf(before), nameOf(place)];
    if (isSame || from === undefined || from === to) {
      this.#keep({ ...this.#state, draftPlace: place });
      return isSame && isRestored ? '' : undefined;
    }
    const { [from]: _, [to]: shown = '', ...others } = drafts;
    const all = draft.trim() === '' ? others : { ...others, [from]: draft };
    const kept = Object.fromEntries(Object.entries(all).slice(-MAX_DRAFTS));
    this.#keep({ ...this.#state, draft: shown, drafts: kept, draftPlace: place });
    return shown;
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

/** A chat without a question is not in the history, so its draft appears in the next new one. */
function nameOf({ conversationId, questionId }: DraftPlace): string {
  return questionId === '' ? '' : conversationId;
}
