import * as vscode from 'vscode';
import { addDays, dayOf, startOfDay } from '../../display/day.ts';
import type { GatewayController } from '../gateway/gatewayController.ts';
import type { GatewayWorker } from '../gateway/gatewayWorker.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import type { Log } from '../log/log.ts';
import type { KeyBudgetWarning } from './keyBudgetWarning.ts';
import type { KeySpending } from './keySpending.ts';

/** Exchanges come in bursts: the sums are read again when they pause. In milliseconds. */
const QUIET_MS = 1000;

export interface KeyBudgetServices {
  readonly worker: GatewayWorker;
  readonly gateway: GatewayController;
  readonly localKeys: LocalKeyStore;
  readonly spending: KeySpending;
  readonly log: Log;
}

/** Which budgets of local keys need a look. While the gateway is off nobody spends anything, and nothing is read. */
export class KeyBudgetMonitor implements vscode.Disposable {
  readonly #services: KeyBudgetServices;
  readonly #memory: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #warnings: readonly KeyBudgetWarning[] = [];
  #timer: NodeJS.Timeout | undefined;
  #midnight: NodeJS.Timeout | undefined;

  readonly onDidChange = this.#changed.event;

  /** @param memory of all windows: what was said once is not said again. */
  constructor(services: KeyBudgetServices, memory: vscode.Memento) {
    this.#services = services;
    this.#memory = memory;
    const soon = () => {
      this.#timer ??= setTimeout(() => this.refresh(), QUIET_MS);
    };
    this.#subscriptions = [
      services.worker.onDidExchange(({ localKeyId }) => localKeyId !== undefined && soon()),
      services.gateway.onDidChange(soon),
      services.localKeys.onDidChange(soon),
    ];
  }

  /** The worst first. */
  get warnings(): readonly KeyBudgetWarning[] {
    return this.#warnings;
  }

  /** Never rejects: what was known before stays. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      await this.#look();
    } catch (error) {
      this.#services.log.warn('Could not check the budgets of local keys', error);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#midnight);
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  async #look(): Promise<void> {
    const { gateway, localKeys, spending } = this.#services;
    const keys =
      gateway.state.state === 'running' ? (await localKeys.read()).keys.filter(({ budgets }) => budgets) : [];
    if (keys.length === 0) {
      this.#set([]);
      return;
    }
    this.#lookAtMidnight();
    const { sayOnce, warningsOf } = await import('./keyBudgetWarnings.ts');
    this.#set(warningsOf(keys, await spending.read(keys)));
    await sayOnce(this.#warnings, this.#memory);
  }

  #lookAtMidnight(): void {
    clearTimeout(this.#midnight);
    const now = Date.now();
    this.#midnight = setTimeout(() => this.refresh(), startOfDay(addDays(dayOf(now), 1)) - now);
  }

  #set(warnings: readonly KeyBudgetWarning[]): void {
    if (JSON.stringify(warnings) === JSON.stringify(this.#warnings)) return;
    this.#warnings = warnings;
    this.#changed.fire();
  }
}
