import type * as vscode from 'vscode';
import type { BaseServices } from '../baseServices.ts';
import type { UpstreamKeys } from '../gateway/upstreamKeys.ts';
import type { StatusBar } from '../statusBar/statusBar.ts';

export interface SuggestionServices
  extends Pick<
    BaseServices,
    'balance' | 'calls' | 'connection' | 'ledger' | 'limits' | 'log' | 'models' | 'settings' | 'worker'
  > {
  readonly statusBar: StatusBar;
  readonly upstreamKeys: UpstreamKeys;
  /** What is remembered across restarts. */
  readonly memory: vscode.Memento;
}
