import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ChatState } from '../../../pages/chat/protocol.ts';
import type { Popover } from '../popover.ts';
import { answersOf } from '../turns.ts';

/** What the choice of models needs from the panel. */
interface AskedModelsHost {
  readonly state: ReadonlySignal<ChatState | undefined>;
  readonly popover: Signal<Popover | undefined>;
  /** The editor of an earlier question. */
  readonly editor: { readonly isOpen: ReadonlySignal<boolean> };
  post(message: ChatPanelMessage): void;
  /** Sends the draft. */
  readonly sending: { readonly isPossible: ReadonlySignal<boolean>; send(): void };
  closePopover(): void;
}

/** The models that the next question, or one that was answered, is sent to. */
export class AskedModels {
  /** Models that the next question is sent to side by side. Fewer than two mean no comparison. */
  readonly compared = signal<readonly string[]>([]);
  /** The models that the next question is sent to. */
  readonly asked: ReadonlySignal<readonly string[]>;
  /** ID of the answer whose question is sent to the next chosen model as well. */
  readonly otherFor = signal<string | undefined>(undefined);
  /** Like {@link otherFor}, for several models side by side. */
  readonly severalFor = signal<string | undefined>(undefined);
  /** Whether the host estimates the question that the picker was opened for. */
  #isEstimating = false;
  readonly #panel: AskedModelsHost;

  constructor(panel: AskedModelsHost) {
    this.#panel = panel;
    this.asked = computed(() => {
      if (this.compared.value.length > 1) return this.compared.value;
      const model = panel.state.value?.model ?? '';
      return model === '' ? [] : [model];
    });
  }

  /** Opens the model picker to have another model answer the same question. */
  askOther(turnId: string): void {
    this.otherFor.value = turnId;
    this.#askAgain(turnId);
  }

  /** Opens the model picker to have several models answer the same question side by side. */
  askSeveral(turnId: string): void {
    const { state } = this.#panel;
    this.compared.value = state.value === undefined || state.value.model === '' ? [] : [state.value.model];
    this.severalFor.value = turnId;
    this.#askAgain(turnId);
  }

  /** Sends the question that the picker was opened for, or else the draft, to the chosen models. */
  askChosen(): void {
    const turnId = this.severalFor.value;
    const models = this.compared.value;
    this.#panel.closePopover();
    if (turnId !== undefined) this.#sendAgain(turnId, models);
    else if (this.#panel.sending.isPossible.value) this.#panel.sending.send();
  }

  /** Chooses a model for the question that the picker was opened for, for the edited question, or for the chat. */
  choose(model: string): void {
    const turnId = this.otherFor.value;
    if (turnId !== undefined) this.#sendAgain(turnId, [model]);
    else this.#panel.post({ type: this.#panel.editor.isOpen.value ? 'editModel' : 'chooseModel', model });
  }

  /** Whether models are chosen for a question that was asked, or that is being edited, instead of the draft. */
  get isForEarlier(): boolean {
    return (this.otherFor.value ?? this.severalFor.value) !== undefined || this.#panel.editor.isOpen.value;
  }

  /** Called when the picker closes. */
  leave(): void {
    if (this.severalFor.value !== undefined) this.compared.value = [];
    [this.otherFor.value, this.severalFor.value] = [undefined, undefined];
    this.#endEstimate();
  }

  /** Opens the picker with an estimate of the question, as if it was edited. */
  #askAgain(turnId: string): void {
    const { state, editor, popover } = this.#panel;
    const turns = state.value?.turns ?? [];
    const answer = turns.findIndex((turn) => answersOf(turn).some(({ id }) => id === turnId));
    const question = turns.slice(0, answer).findLast(({ role }) => role === 'user');
    if (question?.role === 'user' && !editor.isOpen.value) {
      this.#isEstimating = true;
      this.#panel.post({ type: 'editing', turnId: question.id, text: question.text });
    }
    popover.value = 'models';
  }

  #sendAgain(turnId: string, models: readonly string[]): void {
    this.#endEstimate();
    this.#panel.post({ type: 'askOther', turnId, models: [...models] });
  }

  #endEstimate(): void {
    if (this.#isEstimating) this.#panel.post({ type: 'editingDone' });
    this.#isEstimating = false;
  }
}
