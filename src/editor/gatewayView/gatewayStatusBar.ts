import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { GatewayController, GatewayState } from '../gateway/gatewayController.ts';
import type { KeyBudgetMonitor } from '../localKeys/keyBudgetMonitor.ts';
import type { ListeningAddress } from '../worker/gatewayListener.ts';

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
    const waiting = waitingText(this.#budgets.waitingSessions);
    const lines = [words.long, ...waiting, ...warnings.map(({ long }) => long)];
    const short = [words.short, ...waiting].join(' · ');
    this.#item.text = `$(radio-tower) ${short}${worst === undefined ? '' : ` $(warning) ${worst.short}`}`;
    this.#item.tooltip = lines.join('\n');
    this.#item.accessibilityInformation = { label: lines.join(' ') };
    const level = state.state === 'failed' ? 'error' : waiting.length > 0 ? 'warning' : undefined;
    this.#item.backgroundColor = level && new vscode.ThemeColor(`statusBarItem.${level}Background`);
  }
}

function waitingText(sessions: number): readonly string[] {
  if (sessions === 0) return [];
  return [sessions === 1 ? l10n.t('1 session waits') : l10n.t('{0} sessions wait', sessions)];
}

/** The address, and whether another window listens on the port. Both work the same for tools. */
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
