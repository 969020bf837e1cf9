import { type Question, toAttachmentView } from '../../chat/conversation/entry.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { Attachment } from '../../chat/conversation/record.ts';
import type { AttachmentView, ChatHostMessage } from '../../pages/chat/protocol.ts';
import type { EstimateInput } from './estimator.ts';

interface Edit {
  readonly turnId: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The model that answers the edited question. */
  readonly model: string;
}

export interface EditedQuestionSources {
  readonly conversation: LiveConversation;
  /** The chat's model, which answers unless another is chosen. */
  readonly model: () => string;
  /** Resolves with the current version of an attached file, if it has changed and may be attached without a question. */
  readonly changed: (attachment: Attachment) => Promise<Attachment | undefined>;
  readonly post: (message: ChatHostMessage) => void;
  readonly onDidChange: () => void;
}

/** A question of the conversation that the user edits in place, before it is sent again. */
export class EditedQuestion {
  readonly #sources: EditedQuestionSources;
  #edit: Edit | undefined;
  /** By the IDs of the attached versions. */
  readonly #others = new Map<string, { readonly attachment: Attachment; readonly isEarlier: boolean }>();

  constructor(sources: EditedQuestionSources) {
    this.#sources = sources;
  }

  get isActive(): boolean {
    return this.#edit !== undefined;
  }

  get model(): string {
    return this.#edit?.model ?? this.#sources.model();
  }

  /** @param edit The current text; undefined when the edit was sent or canceled. */
  change(edit: Pick<Edit, 'turnId' | 'text'> | undefined): void {
    const question = edit && this.#questionOf(edit.turnId);
    if (edit === undefined || question === undefined) {
      this.#edit = undefined;
      this.#sources.onDidChange();
    } else if (this.#edit?.turnId === edit.turnId) {
      this.#edit = { ...this.#edit, text: edit.text };
      this.#sources.onDidChange();
    } else {
      this.#set({ ...edit, attachments: question.attachments, model: this.#sources.model() });
      void this.#update(edit.turnId, question.attachments);
    }
  }

  /** Attaches the current versions of changed files, and keeps the earlier ones. */
  async #update(turnId: string, attachments: readonly Attachment[]): Promise<void> {
    this.#others.clear();
    for (const attachment of attachments) {
      const current = await this.#sources.changed(attachment);
      if (this.#edit?.turnId !== turnId) return;
      if (current !== undefined) this.#replace(attachment, current, true);
    }
  }

  /** Attaches the other version of a changed file. */
  exchange(attachmentId: string): void {
    const attached = this.#edit?.attachments.find(({ id }) => id === attachmentId);
    const other = this.#others.get(attachmentId);
    if (attached !== undefined && other !== undefined) this.#replace(attached, other.attachment, !other.isEarlier);
  }

  #replace(attached: Attachment, next: Attachment, isEarlier: boolean): void {
    if (this.#edit?.attachments.includes(attached) !== true) return;
    this.#others.delete(attached.id);
    this.#others.set(next.id, { attachment: attached, isEarlier });
    const attachments = this.#edit.attachments.map((each) => (each === attached ? next : each));
    this.#set({ ...this.#edit, attachments });
  }

  attach(...attachments: readonly Attachment[]): void {
    if (this.#edit === undefined) return;
    this.#set({ ...this.#edit, attachments: [...this.#edit.attachments, ...attachments] });
  }

  detach(attachmentId: string): void {
    if (this.#edit === undefined) return;
    this.#set({ ...this.#edit, attachments: this.#edit.attachments.filter(({ id }) => id !== attachmentId) });
  }

  chooseModel(model: string): void {
    if (this.#edit !== undefined) this.#set({ ...this.#edit, model });
  }

  /**
   * The attachments and the model for a question: those of the edit if it is being edited, or else its own and the
   * chat's model.
   */
  versionOf({ id, attachments }: Question): Pick<Edit, 'attachments' | 'model'> {
    return this.#edit?.turnId === id ? this.#edit : { attachments, model: this.#sources.model() };
  }

  /** The content of the request; empty while no question is edited. */
  get parts(): Pick<EstimateInput, 'entries' | 'draft' | 'attachments'> {
    const { entries } = this.#sources.conversation.value;
    const place = entries.findIndex(({ id }) => id === this.#edit?.turnId);
    if (this.#edit === undefined || place === -1) return { entries: [], draft: '', attachments: [] };
    return { entries: entries.slice(0, place), draft: this.#edit.text, attachments: this.#edit.attachments };
  }

  #questionOf(turnId: string): Question | undefined {
    const entry = this.#sources.conversation.value.entries.find(({ id }) => id === turnId);
    return entry?.role === 'user' ? entry : undefined;
  }

  #viewOf(attachment: Attachment): AttachmentView {
    const view = toAttachmentView(attachment);
    const other = this.#others.get(attachment.id);
    return other === undefined ? view : { ...view, version: other.isEarlier ? 'current' : 'earlier' };
  }

  #set(edit: Edit): void {
    this.#edit = edit;
    const { turnId, attachments, model } = edit;
    const edited = { turnId, attachments: attachments.map((attachment) => this.#viewOf(attachment)), model };
    this.#sources.post({ type: 'change', change: { edited } });
    this.#sources.onDidChange();
  }
}
