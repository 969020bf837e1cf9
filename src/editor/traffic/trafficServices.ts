import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import type { BaseServices } from '../baseServices.ts';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { CopyServices } from '../copyAs/copyAs.ts';

export interface TrafficServices
  extends CopyServices,
    Pick<BaseServices, 'ledger' | 'localKeys' | 'log' | 'models' | 'settings' | 'worker'> {
  /** The editor's own calls. */
  readonly calls: CallRecorder;
  /** The chats of the panel, for their titles. */
  readonly store: Pick<ConversationStore, 'read'>;
}
