import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { CopyServices } from '../copyAs/copyAs.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import type { Log } from '../log/log.ts';
import type { ModelList } from '../models/modelList.ts';
import type { Settings } from '../settings/settings.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';

export interface TrafficServices extends CopyServices {
  readonly worker: GatewayWorker;
  /** The path of the ledger's database file. */
  readonly ledger: string;
  /** The editor's own calls. */
  readonly calls: CallRecorder;
  /** The chats of the panel, for their titles. */
  readonly store: Pick<ConversationStore, 'read'>;
  readonly localKeys: LocalKeyStore;
  readonly models: ModelList;
  readonly settings: Settings;
  readonly log: Log;
}
