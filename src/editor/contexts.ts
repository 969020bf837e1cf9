import * as vscode from 'vscode';
import type { BalanceMonitor } from './balance/balanceMonitor.ts';
import type { ConnectionManager } from './connection/connectionManager.ts';
import type { GatewayController } from './gateway/gatewayController.ts';

/**
 * Keeps the context keys of the manifest's `when` clauses up to date: `modelAccess.connection`, `modelAccess.gateway`, and
 * `modelAccess.isInTeam`.
 */
export class Contexts implements vscode.Disposable {
  readonly #subscriptions: vscode.Disposable[];

  constructor(connection: ConnectionManager, gateway: GatewayController, balance: BalanceMonitor) {
    this.#subscriptions = [
      connection.onDidChange(({ kind }) => set('connection', kind)),
      gateway.onDidChange(({ state }) => set('gateway', state)),
      balance.onDidChange((state) => set('isInTeam', state.balance?.team !== undefined)),
    ];
    set('connection', connection.current.kind);
    set('gateway', gateway.state.state);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}

function set(name: string, value: string | boolean): void {
  void vscode.commands.executeCommand('setContext', `modelAccess.${name}`, value);
}
