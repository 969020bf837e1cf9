import * as vscode from 'vscode';
import type { ConnectionManager } from './connection/connectionManager.ts';
import type { GatewayController } from './gateway/gatewayController.ts';

/**
 * Keeps the context keys of the manifest's `when` clauses up to date: `modelAccess.connection` and
 * `modelAccess.gateway`.
 */
export class Contexts implements vscode.Disposable {
  readonly #subscriptions: vscode.Disposable[];

  constructor(connection: ConnectionManager, gateway: GatewayController) {
    this.#subscriptions = [
      connection.onDidChange(({ kind }) => set('connection', kind)),
      gateway.onDidChange(({ state }) => set('gateway', state)),
    ];
    set('connection', connection.current.kind);
    set('gateway', gateway.state.state);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}

function set(name: string, value: string): void {
  void vscode.commands.executeCommand('setContext', `modelAccess.${name}`, value);
}
