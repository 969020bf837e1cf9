import type { ChatState, ContextChoiceView, HistoryView, PromptView } from '../../../../editor/chat/protocol.ts';
import type { Popover } from '../../popover.ts';

export interface GalleryState {
  readonly name: string;
  readonly title: string;
  readonly state: ChatState;
  readonly draft?: string;
  readonly popover?: Popover;
  /** The question that is being edited. */
  readonly editing?: string;
  readonly notice?: string;
  readonly prompts?: readonly PromptView[];
  /** What can be attached and matches the draft's mention. */
  readonly context?: readonly ContextChoiceView[];
  /** The models that the next question goes to. */
  readonly compared?: readonly string[];
  /** The list of saved chats, in the place of the chat. */
  readonly history?: HistoryView;
  /** True when it plays by itself, so that time must go on. */
  readonly live?: boolean;
}
