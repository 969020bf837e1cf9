import * as vscode from 'vscode';
import type { SessionNotice } from '../../gateway/core/sessionNotice.ts';
import { SpendWatcher } from '../../limits/spendWatcher.ts';
import type { BaseServices } from '../baseServices.ts';
import { showFailure } from '../log/log.ts';
import type { KeyBudgetWarning } from './keyBudgetWarnings.ts';
import type { KeySpending } from './keySpending.ts';

export interface KeyBudgetServices extends Pick<BaseServices, 'gateway' | 'ledger' | 'localKeys' | 'log' | 'worker'> {
  readonly spending: KeySpending;
}

/**
 * Tracks which budgets of local keys are nearly spent or used up. While the gateway is off, nothing is spent, so
 * nothing is read.
 */
export class KeyBudgetMonitor implements vscode.Disposable {
  readonly #services: KeyBudgetServices;
  readonly #memory: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #watcher: SpendWatcher<readonly KeyBudgetWarning[]>;
  #waiting = 0;

  readonly onDidChange = this.#changed.event;

  /** @param memory State shared by all windows, so that a warning is shown only once. */
  constructor(services: KeyBudgetServices, memory: vscode.Memento) {
    this.#services = services;
    this.#memory = memory;
    this.#watcher = new SpendWatcher<readonly KeyBudgetWarning[]>({
      initial: [],
      read: (set) => this.#read(set),
      onDidChange: () => this.#changed.fire(),
      onFailure: (error) => services.log.warn('The budgets of local keys could not be looked at', error),
    });
    const refresh = () => this.#watcher.refreshSoon();
    this.#subscriptions = [
      services.worker.onDidExchange(({ localKeyId }) => localKeyId !== undefined && refresh()),
      services.worker.onDidNoticeSession((notice) => void this.#notifyOfSession(notice)),
      services.gateway.onDidChange(({ state }) => {
        if (state !== 'running') this.#waiting = 0;
        refresh();
      }),
      services.localKeys.onDidChange(refresh),
    ];
  }

  /** The number of sessions that wait for the user at their caps. */
  get waitingSessions(): number {
    return this.#waiting;
  }

  /** The largest share spent first. */
  get warnings(): readonly KeyBudgetWarning[] {
    return this.#watcher.value;
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#watcher, this.#changed).dispose();
  }

  async #notifyOfSession(notice: SessionNotice): Promise<void> {
    try {
      const { notifyOfSession, waitingSessions } = await import('./sessionNotices.ts');
      this.#waiting = await waitingSessions(this.#services);
      this.#changed.fire();
      await notifyOfSession(notice, this.#services);
    } catch (error) {
      showFailure(this.#services.log, 'The session could not be changed', error);
    }
  }

  async #read(set: (warnings: readonly KeyBudgetWarning[]) => void): Promise<void> {
    const { gateway, localKeys, spending } = this.#services;
    const keys =
      gateway.state.state === 'running' ? (await localKeys.read()).keys.filter(({ budgets }) => budgets) : [];
    if (keys.length === 0) {
      set([]);
      return;
    }
    const { showOnce, warningsOf } = await import('./keyBudgetWarnings.ts');
    set(warningsOf(keys, await spending.read(keys)));
    await showOnce(this.warnings, this.#memory);
  }
}
