import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Settings } from '../settings/settings.ts';
import { balanceHover } from './balanceHover.ts';
import { type BalanceLevel, balanceLevel } from './balanceLevel.ts';
import type { BalanceMonitor } from './balanceMonitor.ts';
import { balanceText } from './balanceText.ts';

/** The age of a stale balance is shown in minutes: so often it is written anew. In milliseconds. */
const REPAINT_MS = 60_000;

const BACKGROUNDS: Readonly<Partial<Record<BalanceLevel, string>>> = {
  low: 'statusBarItem.warningBackground',
  exhausted: 'statusBarItem.errorBackground',
};

/** What is left on the key, always in sight. */
export class BalanceStatusBar implements vscode.Disposable {
  readonly #monitor: BalanceMonitor;
  readonly #settings: Settings;
  readonly #item = vscode.window.createStatusBarItem('modelAccess.balance', vscode.StatusBarAlignment.Right, 102);
  readonly #subscriptions: vscode.Disposable[];
  readonly #repaint: NodeJS.Timeout;

  constructor(monitor: BalanceMonitor, settings: Settings) {
    this.#monitor = monitor;
    this.#settings = settings;
    this.#item.name = l10n.t('Model Access: balance');
    const changed = () => this.#update();
    this.#subscriptions = [monitor.onDidChange(changed), settings.onDidChange(['balance.warnBelow'], changed)];
    this.#repaint = setInterval(changed, REPAINT_MS);
    this.#update();
    this.#item.show();
  }

  dispose(): void {
    clearInterval(this.#repaint);
    vscode.Disposable.from(...this.#subscriptions, this.#item).dispose();
  }

  #update(): void {
    const { state } = this.#monitor;
    const level = balanceLevel(state.balance, this.#settings.balanceWarnBelow);
    const text = balanceText(state, level, Date.now());
    const background = BACKGROUNDS[level];
    this.#item.text = text;
    this.#item.tooltip = balanceHover(state, Date.now());
    this.#item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    this.#item.command = commandFor(state.connection, level);
    this.#item.accessibilityInformation = { label: `Model Access: ${text.replace(/\$\([\w-]+\) /, '')}` };
  }
}

function commandFor(connection: 'none' | 'hosted' | 'sandbox', level: BalanceLevel): string {
  if (connection === 'none') return 'modelAccess.openChat';
  return level === 'exhausted' && connection === 'hosted' ? 'modelAccess.openDashboard' : 'modelAccess.showBalance';
}
