import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { KeyBudgetMonitor } from '../localKeys/keyBudgetMonitor.ts';
import type { GatewayController, GatewayState } from './gatewayController.ts';
import type { ListeningAddress } from './gatewayListener.ts';

/** A status bar item that shows whether the gateway runs, and on which port. */
export class GatewayStatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('modelAccess.gateway', vscode.StatusBarAlignment.Right, 101);
  readonly #subscriptions: vscode.Disposable[];
  readonly #gateway: GatewayController;
  readonly #budgets: KeyBudgetMonitor;

  constructor(gateway: GatewayController, budgets: KeyBudgetMonitor) {
    this.#gateway = gateway;
    this.#budgets = budgets;
    this.#item.name = l10n.t('Model Access: gateway');
    this.#item.command = 'modelAccess.showGatewayMenu';
    this.#subscriptions = [gateway.onDidChange(() => this.#update()), budgets.onDidChange(() => this.#update())];
    this.#update();
    this.#item.show();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#item).dispose();
  }

  #update(): void {
    const { state } = this.#gateway;
    const words = wordsFor(state);
    const warnings = state.state === 'running' ? this.#budgets.warnings : [];
    const [worst] = warnings;
    const lines = [words.long, ...warnings.map(({ long }) => long)];
    this.#item.text = `$(radio-tower) ${words.short}${worst === undefined ? '' : ` $(warning) ${worst.short}`}`;
    this.#item.tooltip = lines.join('\n');
    this.#item.accessibilityInformation = { label: lines.join(' ') };
    const isFailed = state.state === 'failed';
    this.#item.backgroundColor = isFailed ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
  }
}

/** The address, and whether another window holds the port. Both work the same for tools. */
export function placeOf({ address, owner }: ListeningAddress): string {
  return owner === 'self' ? address : l10n.t('{0}, in another window', address);
}

function wordsFor(state: GatewayState): { readonly short: string; readonly long: string } {
  switch (state.state) {
    case 'off':
      return { short: l10n.t('Off'), long: l10n.t('Model Access: the gateway is off') };
    case 'starting':
      return { short: l10n.t('Starting…'), long: l10n.t('Model Access: the gateway is starting') };
    case 'running':
      return { short: String(state.port), long: l10n.t('Model Access: the gateway is running at {0}', placeOf(state)) };
    case 'failed':
      return { short: l10n.t('Failed'), long: `${l10n.t('Model Access: the gateway failed.')} ${state.problem}` };
  }
}
