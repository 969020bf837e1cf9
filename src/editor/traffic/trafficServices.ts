import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import type { BaseServices } from '../baseServices.ts';
import type { CopyServices } from '../copyAs/copyAs.ts';

export interface TrafficServices
  extends CopyServices,
    Pick<BaseServices, 'calls' | 'ledger' | 'localKeys' | 'log' | 'models' | 'settings' | 'worker'> {
  /** The chats of the panel, for their titles. */
  readonly store: Pick<ConversationStore, 'read'>;
}
