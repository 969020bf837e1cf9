import type { ChatDisplay } from '../../chat/chatViewer.ts';
import type { ChatComposition } from '../../chat/composition.ts';
import type { ConversationImages } from '../../chat/conversation/conversationImages.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { UndoOffers } from '../../chat/undo.ts';
import type { EditedQuestion } from './editedQuestion.ts';
import type { ConversationParameters } from './parameters/conversationParameters.ts';
import type { RunFollower } from './runFollower.ts';

/** The parts of a chat that the actions on its turns use. */
export interface ChatParts {
  readonly conversation: LiveConversation;
  readonly composition: ChatComposition;
  readonly queue: { readonly nextText: string };
  readonly edited: EditedQuestion;
  readonly parameters: ConversationParameters;
  readonly images: ConversationImages;
  /** Offers to undo something in the panel or tab that shows the chat. */
  readonly undo: UndoOffers | undefined;
  readonly runs: RunFollower;
  readonly display: Pick<ChatDisplay, 'isShown'>;
  /** Its title if the user does not see it. */
  readonly titleInBackground: string | undefined;
  /** Reports changes of the conversation to the panel. */
  update(): void;
}
