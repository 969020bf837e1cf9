import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { limitLevel } from '../../limits/limitState.ts';
import { limitNote } from '../../limits/limitText.ts';
import { type BalanceLevel, balanceLevel } from '../../service/balanceLevel.ts';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { LimitMonitor } from '../limits/limitMonitor.ts';
import type { Settings } from '../settings/settings.ts';
import type { BalanceMonitor, BalanceState } from './balanceMonitor.ts';
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
  readonly #calls: CallRecorder;
  readonly #item = vscode.window.createStatusBarItem('modelAccess.balance', vscode.StatusBarAlignment.Right, 102);
  readonly #teamItem = vscode.window.createStatusBarItem('modelAccess.team', vscode.StatusBarAlignment.Right, 101.5);
  readonly #subscriptions: vscode.Disposable[];
  readonly #repaint: NodeJS.Timeout;

  constructor(monitor: BalanceMonitor, settings: Settings, limits: LimitMonitor, calls: CallRecorder) {
    this.#monitor = monitor;
    this.#settings = settings;
    this.#limits = limits;
    this.#calls = calls;
    this.#item.name = l10n.t('Model Access: balance');
    this.#teamItem.name = l10n.t('Model Access: team');
    this.#teamItem.command = 'modelAccess.openUsage';
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
    vscode.Disposable.from(...this.#subscriptions, this.#item, this.#teamItem).dispose();
  }

  #update(): void {
    const { state } = this.#monitor;
    const level = balanceLevel(state.balance, this.#settings.balanceWarnBelow);
    const { states } = this.#limits;
    const note = state.connection === 'none' ? '' : limitNote(states);
    const text = [balanceText(state, level, Date.now()), note].filter((part) => part !== '').join(' · ');
    const background = BACKGROUNDS[level] ?? (limitLevel(states) === 'normal' ? undefined : BACKGROUNDS.low);
    this.#item.text = text;
    this.#updateTeam(state);
    void this.#updateHover();
    this.#item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    this.#item.command = commandFor(state.connection, level, this.#hasDashboard);
    this.#item.accessibilityInformation = { label: `Model Access: ${text.replace(/\$\([\w-]+\) /, '')}` };
  }

  /** An administrator sets the budgets of a team, so there is no credit to add. */
  get #hasDashboard(): boolean {
    return this.#settings.dashboardAddress !== '' && this.#monitor.state.balance?.team === undefined;
  }

  #updateTeam({ balance, problem }: BalanceState): void {
    const name = balance?.team?.team?.name;
    if (name === undefined) {
      this.#teamItem.hide();
      return;
    }
    this.#teamItem.text = `${problem === undefined ? '$(organization)' : '$(warning)'} ${name}`;
    this.#teamItem.tooltip = l10n.t('Team of the service key. Opens Usage.');
    this.#teamItem.show();
  }

  /** The hover is seen later than the item, so its code is loaded later. */
  async #updateHover(): Promise<void> {
    const { balanceHover, NATIVE_MINUTES } = await import('./balanceHover.ts');
    const now = Date.now();
    const nativeChat = this.#calls.ended
      .map((call) => call.entry(this.#calls.pricesOf))
      .filter(({ source, at }) => source === 'nativeChat' && at > now - NATIVE_MINUTES * 60_000);
    const parts = { hasDashboard: this.#hasDashboard, limits: this.#limits.states, nativeChat };
    this.#item.tooltip = balanceHover(this.#monitor.state, now, parts);
  }
}

function commandFor(connection: 'none' | 'hosted' | 'sandbox', level: BalanceLevel, hasDashboard: boolean): string {
  if (connection === 'none') return 'modelAccess.setServiceKey';
  const leadsToCredit = level === 'exhausted' && connection === 'hosted' && hasDashboard;
  return leadsToCredit ? 'modelAccess.openDashboard' : 'modelAccess.showBalance';
}
