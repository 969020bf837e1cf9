import type { ChatComposition } from '../../chat/composition.ts';
import type { ConversationImages } from '../../chat/conversation/conversationImages.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { Attachment } from '../../chat/conversation/record.ts';
import type { UndoOffers } from '../../chat/undo.ts';
import type { EditedQuestion } from './editedQuestion.ts';
import type { ConversationParameters } from './parameters/conversationParameters.ts';
import type { RunFollower } from './runFollower.ts';

/** What shows the conversation. */
export interface Stage {
  readonly conversation: LiveConversation;
  readonly composition: ChatComposition;
  readonly edited: EditedQuestion;
  readonly parameters: ConversationParameters;
  readonly images: ConversationImages;
  readonly undo: UndoOffers;
  readonly runs: RunFollower;
  /** Reports changes of the conversation to the panel. */
  update(): void;
  /** Makes the window show this conversation again after a restart. */
  remember(): Promise<void>;
  open(id: string): Promise<boolean>;
  /** Keeps attachments for the next question of a conversation that is no longer shown. */
  keepUnsent(attachments: readonly Attachment[], conversationId: string): void;
}
