import { toAttachmentView } from './conversation/entry.ts';
import type { Attachment } from './conversation/record.ts';
import type { AttachmentView, ChatHostMessage } from './protocol.ts';

/** What the estimate is of. */
export interface Draft {
  readonly draft: string;
  readonly attachments: readonly Attachment[];
}

/** The question that is being written: its text and what goes with it. */
export class Composition {
  readonly #post: (message: ChatHostMessage) => void;
  readonly #onDidChange: () => void;
  readonly #keep: (attachments: readonly Attachment[]) => void;
  #draft = '';
  #attachments: readonly Attachment[] = [];
  #previewed: Draft | undefined;

  /** @param keep takes what is attached now, so that it outlives the window. */
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

  /** What is estimated: what was written, or what is previewed. */
  get estimated(): Draft {
    return this.#previewed ?? { draft: this.#draft, attachments: this.#attachments };
  }

  /** Shows the estimate of another question in the place of this one; undefined no longer does. */
  preview(question: Draft | undefined): void {
    this.#previewed = question;
    this.#onDidChange();
  }

  setDraft(text: string): void {
    this.#draft = text;
    this.#previewed = undefined;
    this.#onDidChange();
  }

  /** Puts text into the composer for the person to finish. */
  compose(text: string): void {
    this.#post({ type: 'compose', text });
    this.setDraft(text);
  }

  attach(...attachments: readonly Attachment[]): void {
    this.#setAttachments([...this.#attachments, ...attachments]);
  }

  detach(attachmentId: string): void {
    this.#setAttachments(this.#attachments.filter(({ id }) => id !== attachmentId));
  }

  /** Another attachment takes the place of the one of its id. */
  replace(attachment: Attachment): void {
    this.#setAttachments(this.#attachments.map((one) => (one.id === attachment.id ? attachment : one)));
  }

  detachImages(): void {
    this.#setAttachments(this.#attachments.filter(({ image }) => image === undefined));
  }

  /** What was written, which is then gone from here. */
  take(): readonly Attachment[] {
    const attachments = this.#attachments;
    this.#draft = '';
    this.#setAttachments([]);
    return attachments;
  }

  /** Forgets the attachments, which belong to another conversation; the text stays where it is typed. */
  clear(): void {
    this.#attachments = [];
    this.#keep([]);
  }

  #setAttachments(attachments: readonly Attachment[]): void {
    this.#attachments = attachments;
    this.#keep(attachments);
    this.#post({ type: 'change', change: { attachments: this.attachmentViews } });
    this.#onDidChange();
  }
}
