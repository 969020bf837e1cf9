import type {
  ChatState,
  ContextChoiceView,
  HistoryView,
  PageView,
  PromptView,
} from '../../../../src/pages/chat/protocol.ts';
import type { Popover } from '../../../../src/panels/chat/popover.ts';

export interface GalleryState {
  readonly name: string;
  readonly title: string;
  readonly state: ChatState;
  readonly draft?: string;
  readonly popover?: Popover;
  /** ID of the question that is being edited. */
  readonly editing?: string;
  readonly notice?: string;
  readonly prompts?: readonly PromptView[];
  /** The web page that was attached last. */
  readonly page?: PageView;
  /** The attachable items that match the draft's mention. */
  readonly context?: readonly ContextChoiceView[];
  /** The models that the next question is sent to. */
  readonly compared?: readonly string[];
  /** The list of saved chats, which is shown instead of the chat. */
  readonly history?: HistoryView;
  /** True if the state changes by itself, so that the clock must run. */
  readonly live?: boolean;
}
