import type { AttachmentView, ChatHostMessage } from '../pages/chat/protocol.ts';
import { toAttachmentView } from './conversation/entry.ts';
import type { Attachment } from './conversation/record.ts';

/** The text and attachments that the estimate is for. */
export interface EstimatedDraft {
  readonly draft: string;
  readonly attachments: readonly Attachment[];
}

/** The question being written: its text and attachments. */
export class ChatComposition {
  readonly #post: (message: ChatHostMessage) => void;
  readonly #onDidChange: () => void;
  readonly #keep: (attachments: readonly Attachment[]) => void;
  #draft = '';
  #attachments: readonly Attachment[] = [];
  #previewed: EstimatedDraft | undefined;

  /** @param keep Shows the current attachments, and stores them, so that they survive a restart of the window. */
  constructor(
    post: (message: ChatHostMessage) => void,
    onDidChange: () => void,
    keep: (attachments: readonly Attachment[]) => void,
  ) {
    this.#post = post;
    this.#onDidChange = onDidChange;
    this.#keep = keep;
  }

  get draft(): string {
    return this.#draft;
  }

  get attachments(): readonly Attachment[] {
    return this.#attachments;
  }

  get attachmentViews(): readonly AttachmentView[] {
    return this.#attachments.map(toAttachmentView);
  }

  /** The draft to estimate: the one being written, or the previewed one. */
  get estimated(): EstimatedDraft {
    return this.#previewed ?? { draft: this.#draft, attachments: this.#attachments };
  }

  /** Shows the estimate of another question instead of the draft's. Undefined ends the preview. */
  preview(question: EstimatedDraft | undefined): void {
    this.#previewed = question;
    this.#onDidChange();
  }

  setDraft(text: string): void {
    this.#draft = text;
    this.#previewed = undefined;
    this.#onDidChange();
  }

  /** Puts text into the composer, for the user to complete. */
  compose(text: string): void {
    this.#post({ type: 'compose', text });
    this.setDraft(text);
  }

  /** Puts a question that was not sent back into the composer, before what the user has written since. */
  putBack(question: string): void {
    const later = this.#draft === question ? '' : this.#draft;
    this.compose([question, later].filter((text) => text !== '').join('\n\n'));
  }

  attach(...attachments: readonly Attachment[]): void {
    this.#setAttachments([...this.#attachments, ...attachments]);
  }

  detach(attachmentId: string): void {
    this.#setAttachments(this.#attachments.filter(({ id }) => id !== attachmentId));
  }

  /** Replaces the attachment with the same ID. */
  replace(attachment: Attachment): void {
    this.#setAttachments(this.#attachments.map((one) => (one.id === attachment.id ? attachment : one)));
  }

  detachImages(): void {
    this.#setAttachments(this.#attachments.filter(({ image }) => image === undefined));
  }

  /**
   * Returns the attachments, which are removed, to send them with this question. What the user has written since the
   * question was sent stays.
   */
  take(question: string): readonly Attachment[] {
    const attachments = this.#attachments;
    if (this.#draft === question) this.#draft = '';
    this.#setAttachments([]);
    return attachments;
  }

  #setAttachments(attachments: readonly Attachment[]): void {
    this.#attachments = attachments;
    this.#keep(attachments);
    this.#onDidChange();
  }
}
