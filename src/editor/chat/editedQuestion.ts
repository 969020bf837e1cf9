import type { LiveConversation } from './conversation/liveConversation.ts';
import type { EstimateInput } from './estimator.ts';

interface Edit {
  readonly turnId: string;
  readonly text: string;
}

/** A question of the conversation that a person edits in its place, before it is sent again. */
export class EditedQuestion {
  readonly #conversation: () => LiveConversation;
  readonly #onChange: () => void;
  #edit: Edit | undefined;

  constructor(conversation: () => LiveConversation, onChange: () => void) {
    this.#conversation = conversation;
    this.#onChange = onChange;
  }

  /** @param edit undefined when it was sent, or left as it was. */
  change(edit: Edit | undefined): void {
    this.#edit = edit;
    this.#onChange();
  }

  /** What the model would be told; nothing while no question is edited. */
  get parts(): Pick<EstimateInput, 'entries' | 'draft' | 'attachments'> {
    const { entries } = this.#conversation().value;
    const place = entries.findIndex(({ id }) => id === this.#edit?.turnId);
    const question = entries[place];
    if (this.#edit === undefined || question?.role !== 'user') return { entries: [], draft: '', attachments: [] };
    return { entries: entries.slice(0, place), draft: this.#edit.text, attachments: question.attachments };
  }
}
