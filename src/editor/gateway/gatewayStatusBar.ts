import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { GatewayController, GatewayState } from './gatewayController.ts';
import type { ListeningAddress } from './gatewayWorker.ts';

/** Whether the gateway runs, and on which port. */
export class GatewayStatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('modelAccess.gateway', vscode.StatusBarAlignment.Right, 101);
  readonly #subscription: vscode.Disposable;

  constructor(gateway: GatewayController) {
    this.#item.name = l10n.t('Model Access: gateway');
    this.#item.command = 'modelAccess.showGatewayMenu';
    this.#subscription = gateway.onDidChange((state) => this.#update(state));
    this.#update(gateway.state);
    this.#item.show();
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#item).dispose();
  }

  #update(state: GatewayState): void {
    const words = wordsFor(state);
    this.#item.text = `$(radio-tower) ${words.short}`;
    this.#item.tooltip = words.long;
    this.#item.accessibilityInformation = { label: words.long };
    const isFailed = state.state === 'failed';
    this.#item.backgroundColor = isFailed ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
  }
}

/** The address, and whether another window holds the port. It makes no difference to tools. */
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
      return { short: String(state.port), long: l10n.t('Model Access: the gateway runs at {0}', placeOf(state)) };
    case 'failed':
      return { short: l10n.t('Failed'), long: `${l10n.t('Model Access: the gateway failed.')} ${state.problem}` };
  }
}
