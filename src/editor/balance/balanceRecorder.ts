import type * as vscode from 'vscode';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { BalanceMonitor } from './balanceMonitor.ts';

/**
 * Adds the service key's balance to the ledger each time it is read, to be compared with the recorded costs. Sandbox
 * balances are not recorded, because each window has its own.
 */
export class BalanceRecorder implements vscode.Disposable {
  readonly #subscription: vscode.Disposable;
  #lastReadAt = 0;

  constructor(connection: ConnectionManager, balance: BalanceMonitor, calls: CallRecorder) {
    this.#subscription = balance.onDidChange(({ connection: kind, balance: left, readAt, problem }) => {
      const { open } = connection;
      if (kind !== 'hosted' || open?.kind !== 'hosted' || problem !== undefined || readAt === undefined) return;
      if (left?.remaining === undefined || left.currency !== 'USD' || readAt === this.#lastReadAt) return;
      this.#lastReadAt = readAt;
      const account = { id: open.identity, upstream: open.kind };
      calls.recordBalance({ account, at: readAt, remaining: left.remaining });
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
