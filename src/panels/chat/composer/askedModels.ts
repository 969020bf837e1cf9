import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ChatState } from '../../../pages/chat/protocol.ts';
import type { Popover } from '../popover.ts';

/** What the choice of models needs from the panel. */
interface AskedModelsHost {
  readonly state: ReadonlySignal<ChatState | undefined>;
  readonly popover: Signal<Popover | undefined>;
  /** The editor of an earlier question. */
  readonly editor: { readonly isOpen: ReadonlySignal<boolean> };
  post(message: ChatPanelMessage): void;
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
    this.#panel.popover.value = 'models';
  }

  /** Opens the model picker to have several models answer the same question side by side. */
  askSeveral(turnId: string): void {
    this.compared.value = [];
    this.severalFor.value = turnId;
    this.#panel.popover.value = 'models';
  }

  /** Sends the question that the picker was opened for to the chosen models. */
  askChosen(): void {
    const turnId = this.severalFor.value;
    const models = this.compared.value;
    if (turnId !== undefined) this.#panel.post({ type: 'askOther', turnId, models });
    this.#panel.closePopover();
  }

  /** Chooses a model for the question that the picker was opened for, for the edited question, or for the chat. */
  choose(model: string): void {
    const turnId = this.otherFor.value;
    if (turnId !== undefined) this.#panel.post({ type: 'askOther', turnId, models: [model] });
    else this.#panel.post({ type: this.#panel.editor.isOpen.value ? 'editModel' : 'chooseModel', model });
  }
}
