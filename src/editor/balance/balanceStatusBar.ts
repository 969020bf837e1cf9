import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LimitMonitor } from '../limits/limitMonitor.ts';
import { limitLevel } from '../limits/limitState.ts';
import { limitNote } from '../limits/limitText.ts';
import type { Settings } from '../settings/settings.ts';
import { balanceHover } from './balanceHover.ts';
import { type BalanceLevel, balanceLevel } from './balanceLevel.ts';
import type { BalanceMonitor } from './balanceMonitor.ts';
import { balanceText } from './balanceText.ts';

/** How often the age of a stale balance, which is shown in minutes, is updated. In milliseconds. */
const REPAINT_MS = 60_000;

const BACKGROUNDS: Readonly<Partial<Record<BalanceLevel, string>>> = {
  low: 'statusBarItem.warningBackground',
  exhausted: 'statusBarItem.errorBackground',
};

/** A status bar item with the remaining balance and the state of the user's limits. */
export class BalanceStatusBar implements vscode.Disposable {
  readonly #monitor: BalanceMonitor;
  readonly #settings: Settings;
  readonly #limits: LimitMonitor;
  readonly #item = vscode.window.createStatusBarItem('modelAccess.balance', vscode.StatusBarAlignment.Right, 102);
  readonly #subscriptions: vscode.Disposable[];
  readonly #repaint: NodeJS.Timeout;

  constructor(monitor: BalanceMonitor, settings: Settings, limits: LimitMonitor) {
    this.#monitor = monitor;
    this.#settings = settings;
    this.#limits = limits;
    this.#item.name = l10n.t('Model Access: balance');
    const changed = () => this.#update();
    this.#subscriptions = [
      monitor.onDidChange(changed),
      limits.onDidChange(changed),
      settings.onDidChange(['balance.warnBelow', 'dashboardAddress'], changed),
    ];
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
    const { states } = this.#limits;
    const hasDashboard = this.#settings.dashboardAddress !== '';
    const note = state.connection === 'none' ? '' : limitNote(states);
    const text = [balanceText(state, level, Date.now()), note].filter((part) => part !== '').join(' · ');
    const background = BACKGROUNDS[level] ?? (limitLevel(states) === 'normal' ? undefined : BACKGROUNDS.low);
    this.#item.text = text;
    this.#item.tooltip = balanceHover(state, Date.now(), hasDashboard, states);
    this.#item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    this.#item.command = commandFor(state.connection, level, hasDashboard);
    this.#item.accessibilityInformation = { label: `Model Access: ${text.replace(/\$\([\w-]+\) /, '')}` };
  }
}

function commandFor(connection: 'none' | 'hosted' | 'sandbox', level: BalanceLevel, hasDashboard: boolean): string {
  if (connection === 'none') return 'modelAccess.openChat';
  const leadsToCredit = level === 'exhausted' && connection === 'hosted' && hasDashboard;
  return leadsToCredit ? 'modelAccess.openDashboard' : 'modelAccess.showBalance';
}
