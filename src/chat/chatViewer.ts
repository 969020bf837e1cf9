import type { ChatHostMessage } from '../pages/chat/protocol.ts';
import type { UndoOffers } from './undo.ts';

/** The parts of a chat's state that change beside its turns. */
export type ChatChange =
  | 'conversation'
  | 'asking'
  | 'queued'
  | 'attachments'
  | 'parameters'
  | 'run'
  | 'estimate'
  | 'editEstimate';

/** The panel or tab that shows a chat. */
export interface ChatViewer {
  /** Whether the user sees it. Otherwise it drops messages, and requests the whole state when it is shown again. */
  readonly isVisible: boolean;
  readonly undo: UndoOffers;
  /** Shows the panel or tab. */
  reveal(): unknown;
  post(message: ChatHostMessage): void;
  update(change: ChatChange): void;
}

/** Where a chat is shown. It works without a viewer, and keeps what nobody has seen for the next one. */
export class ChatDisplay {
  /** The panel or tab that shows the chat. */
  viewer: ChatViewer | undefined;
  /** Whether the composer has a text that no viewer has received. */
  hasUnseenDraft = false;

  get isShown(): boolean {
    return this.viewer !== undefined;
  }

  /** Whether the user sees the chat. */
  get isVisible(): boolean {
    return this.viewer?.isVisible === true;
  }

  /** Posts a message to the panel or tab that shows the chat. */
  readonly post = (message: ChatHostMessage): void => {
    if (message.type === 'compose' && !this.isVisible) this.hasUnseenDraft = true;
    this.viewer?.post(message);
  };

  update(change: ChatChange): void {
    this.viewer?.update(change);
  }

  /** Posts what the viewer has not received while nobody saw it, after the whole state. */
  repeat(draft: string): void {
    if (!this.hasUnseenDraft || !this.isVisible) return;
    this.hasUnseenDraft = false;
    this.post({ type: 'compose', text: draft });
  }
}
