import type * as vscode from 'vscode';
import type { BalanceMonitor } from '../balance/balanceMonitor.ts';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { UpstreamKeys } from '../gateway/upstreamKeys.ts';
import type { LimitMonitor } from '../limits/limitMonitor.ts';
import type { Log } from '../log/log.ts';
import type { ModelList } from '../models/modelList.ts';
import type { Settings } from '../settings/settings.ts';
import type { StatusBar } from '../statusBar/statusBar.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';

export interface SuggestionServices {
  readonly calls: CallRecorder;
  readonly connection: ConnectionManager;
  readonly models: ModelList;
  readonly settings: Settings;
  readonly limits: LimitMonitor;
  readonly balance: BalanceMonitor;
  readonly statusBar: StatusBar;
  readonly worker: GatewayWorker;
  /** The path of the ledger's database file. */
  readonly ledger: string;
  readonly upstreamKeys: UpstreamKeys;
  readonly log: Log;
  /** What is remembered across restarts. */
  readonly memory: vscode.Memento;
}
