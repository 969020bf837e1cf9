import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import type { BaseServices } from '../baseServices.ts';

export interface UsageServices
  extends Pick<
    BaseServices,
    'balance' | 'calls' | 'connection' | 'ledger' | 'localKeys' | 'log' | 'models' | 'settings' | 'worker'
  > {
  readonly store: ConversationStore;
}
