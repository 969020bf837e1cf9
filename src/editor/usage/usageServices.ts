import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import type { BalanceMonitor } from '../balance/balanceMonitor.ts';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import type { Log } from '../log/log.ts';
import type { ModelList } from '../models/modelList.ts';
import type { Settings } from '../settings/settings.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';

export interface UsageServices {
  readonly worker: GatewayWorker;
  readonly calls: CallRecorder;
  /** The path of the ledger's database file. */
  readonly ledger: string;
  readonly connection: ConnectionManager;
  readonly balance: BalanceMonitor;
  readonly localKeys: LocalKeyStore;
  readonly models: ModelList;
  readonly store: ConversationStore;
  readonly settings: Settings;
  readonly log: Log;
}
