import * as vscode from 'vscode';
import { limitLevel } from '../../limits/limitState.ts';
import { limitNote } from '../../limits/limitText.ts';
import { type BalanceLevel, balanceLevel } from '../../service/balanceLevel.ts';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { LimitMonitor } from '../limits/limitMonitor.ts';
import type { Settings } from '../settings/settings.ts';
import type { StatusHover, StatusPart, StatusSection } from '../statusBar/statusSection.ts';
import type { BalanceMonitor } from './balanceMonitor.ts';
import { balanceText } from './balanceText.ts';

const LEVELS: Readonly<Partial<Record<BalanceLevel, StatusPart['level']>>> = { low: 'warning', exhausted: 'error' };

/** In the status bar, the remaining balance and the state of the user's limits. */
export class BalanceSection implements StatusSection, vscode.Disposable {
  readonly name = 'balance';
  readonly #monitor: BalanceMonitor;
  readonly #settings: Settings;
  readonly #limits: LimitMonitor;
  readonly #calls: CallRecorder;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];

  readonly onDidChange = this.#changed.event;

  constructor(monitor: BalanceMonitor, settings: Settings, limits: LimitMonitor, calls: CallRecorder) {
    this.#monitor = monitor;
    this.#settings = settings;
    this.#limits = limits;
    this.#calls = calls;
    const changed = () => this.#changed.fire();
    this.#subscriptions = [
      monitor.onDidChange(changed),
      limits.onDidChange(changed),
      settings.onDidChange(['balance.warnBelow', 'dashboardAddress'], changed),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  part(): StatusPart {
    const { state } = this.#monitor;
    const level = balanceLevel(state.balance, this.#settings.balanceWarnBelow);
    const { states } = this.#limits;
    const note = state.connection === 'none' ? '' : limitNote(states);
    const text = [balanceText(state, level, Date.now()), note].filter((part) => part !== '').join(' · ');
    return {
      text,
      label: text.replace(/\$\([\w-]+\) /, ''),
      level: LEVELS[level] ?? (limitLevel(states) === 'normal' ? undefined : 'warning'),
      command: commandFor(state.connection, level, this.#hasDashboard),
    };
  }

  async hover(): Promise<StatusHover> {
    const { balanceHover, NATIVE_MINUTES } = await import('./balanceHover.ts');
    const now = Date.now();
    const nativeChat = this.#calls.ended
      .map((call) => call.entry(this.#calls.pricesOf))
      .filter(({ source, at }) => source === 'nativeChat' && at > now - NATIVE_MINUTES * 60_000);
    const parts = { hasDashboard: this.#hasDashboard, limits: this.#limits.states, nativeChat };
    return balanceHover(this.#monitor.state, now, parts);
  }

  /** An administrator sets the budgets of a team, so there is no credit to add. */
  get #hasDashboard(): boolean {
    return this.#settings.dashboardAddress !== '' && this.#monitor.state.balance?.team === undefined;
  }
}

function commandFor(connection: 'none' | 'hosted' | 'sandbox', level: BalanceLevel, hasDashboard: boolean): string {
  if (connection === 'none') return 'modelAccess.setServiceKey';
  const leadsToCredit = level === 'exhausted' && connection === 'hosted' && hasDashboard;
  return leadsToCredit ? 'modelAccess.openDashboard' : 'modelAccess.openUsage';
}
