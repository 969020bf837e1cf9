import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { balanceLevel } from '../../service/balanceLevel.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { Settings } from '../settings/settings.ts';
import type { BalanceMonitor } from './balanceMonitor.ts';
import { figure } from './balanceText.ts';

const STATE_KEY = 'modelAccess.lowBalanceNotice';

/** Warns once, in the focused window, when the balance is low, and again only after credit was added. */
export class LowBalanceNotice implements vscode.Disposable {
  readonly #connection: ConnectionManager;
  readonly #monitor: BalanceMonitor;
  readonly #settings: Settings;
  readonly #memory: vscode.Memento;
  readonly #subscription: vscode.Disposable;

  /** @param memory State shared by all windows. */
  constructor(connection: ConnectionManager, monitor: BalanceMonitor, settings: Settings, memory: vscode.Memento) {
    this.#connection = connection;
    this.#monitor = monitor;
    this.#settings = settings;
    this.#memory = memory;
    this.#subscription = monitor.onDidChange(() => this.#check());
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Nothing is charged in the sandbox. A balance that is normal again resets the notice. */
  async #check(): Promise<void> {
    const { open } = this.#connection;
    const { balance, problem } = this.#monitor.state;
    if (open?.kind !== 'hosted' || problem !== undefined || balance === undefined) return;
    const level = balanceLevel(balance, this.#settings.balanceWarnBelow);
    const wasShown = this.#memory.get<string>(STATE_KEY) === open.identity;
    if (level === 'normal' && wasShown) await this.#memory.update(STATE_KEY, undefined);
    const isLow = level === 'low' || level === 'exhausted';
    if (!isLow || wasShown || !vscode.window.state.focused) return;
    await this.#memory.update(STATE_KEY, open.identity);
    await this.#show(figure(balance), balance.team !== undefined);
  }

  async #show(left: string, isInTeam: boolean): Promise<void> {
    const [add, warning] = [l10n.t('Add credit'), l10n.t('Set balance warning')];
    const copy = l10n.t('Copy Request for Administrator');
    const hasDashboard = this.#settings.dashboardAddress !== '';
    const buttons = isInTeam ? [copy, warning] : hasDashboard ? [add, warning] : [warning];
    const choice = await vscode.window.showWarningMessage(l10n.t('The balance is low: {0} left.', left), ...buttons);
    if (choice === add) await vscode.commands.executeCommand('modelAccess.openDashboard');
    if (choice === copy) await vscode.commands.executeCommand('modelAccess.copyAdministratorRequest');
    if (choice === warning) await vscode.commands.executeCommand('modelAccess.setBalanceWarning');
  }
}
