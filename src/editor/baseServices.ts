import type { BalanceMonitor } from './balance/balanceMonitor.ts';
import type { CallRecorder } from './calls/callRecorder.ts';
import type { ConnectionManager } from './connection/connectionManager.ts';
import type { GatewayController } from './gateway/gatewayController.ts';
import type { GatewayUpstream } from './gateway/gatewayUpstream.ts';
import type { LocalKeyStore } from './gateway/localKeyStore.ts';
import type { LimitMonitor } from './limits/limitMonitor.ts';
import type { Log } from './log/log.ts';
import type { ModelList } from './models/modelList.ts';
import type { Settings } from './settings/settings.ts';
import type { GatewayWorker } from './worker/gatewayWorker.ts';

/** The services that most features use. A feature names those that it uses with `Pick`. */
export interface BaseServices {
  readonly balance: BalanceMonitor;
  readonly calls: CallRecorder;
  readonly connection: ConnectionManager;
  readonly gateway: GatewayController;
  /** The path of the ledger. */
  readonly ledger: string;
  readonly limits: LimitMonitor;
  readonly localKeys: LocalKeyStore;
  readonly log: Log;
  readonly models: ModelList;
  readonly settings: Settings;
  readonly upstream: GatewayUpstream;
  readonly worker: GatewayWorker;
}
