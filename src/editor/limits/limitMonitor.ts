import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { GatewayWorker } from '../gateway/gatewayWorker.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import { CostsUnderWay } from './costsUnderWay.ts';
import { type LimitState, passedBy } from './limitState.ts';
import { SpendWatcher } from './spendWatcher.ts';

export interface LimitServices {
  readonly worker: GatewayWorker;
  /** The path of the ledger. */
  readonly ledger: string;
  readonly calls: CallRecorder;
  readonly connection: ConnectionManager;
  readonly settings: Settings;
  readonly log: Log;
}

/** How the person's limits for the service's key stand, and the question before one is passed. */
export class LimitMonitor implements vscode.Disposable {
  readonly #services: LimitServices;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #underWay = new CostsUnderWay();
  readonly #watcher: SpendWatcher<readonly LimitState[]>;

  readonly onDidChange = this.#changed.event;

  constructor(services: LimitServices) {
    const { worker, calls, connection, settings, log } = services;
    this.#services = services;
    this.#watcher = new SpendWatcher<readonly LimitState[]>({
      initial: [],
      read: (set) => this.#read(set),
      onDidChange: () => this.#changed.fire(),
      onFailure: (error) => log.warn('What was spent could not be read, so limits are not up to date', error),
    });
    this.#subscriptions = [
      settings.onDidChange(['limits'], () => this.refresh()),
      connection.onDidChange(() => this.refresh()),
      worker.onDidExchange(() => this.#refreshSoon()),
      calls.onDidRecord(() => this.#refreshSoon()),
    ];
  }

  /** Those that are set. */
  get states(): readonly LimitState[] {
    return this.#watcher.value;
  }

  /** Never rejects: what was known before stays. */
  refresh(): Promise<void> {
    return this.#watcher.refresh();
  }

  /** Asks before a limit is passed. @param cost of what is to be sent, in US dollars, where it can be told. */
  async allows(cost?: number): Promise<boolean> {
    const passed = await this.#passed(cost);
    if (passed === undefined) return true;
    const { limitQuestion } = await import('./limitQuestion.ts');
    const { title, detail } = limitQuestion(passed, cost);
    const [send, change] = [l10n.t('Send Anyway'), l10n.t('Change Limit')];
    const choice = await vscode.window.showWarningMessage(title, { modal: true, detail }, send, change);
    if (choice === change) await openLimits();
    return choice === send;
  }

  /**
   * For calls of agents, where there is nobody to ask. What the others under way may cost counts, as at the gateway; a
   * single call may pass a limit by what it costs.
   * @param maxCost of the request in US dollars; asked for only where there are limits.
   * @returns what to call at its end.
   * @throws once a limit is reached, or may be by the others under way.
   */
  async admit(maxCost: () => Promise<number>): Promise<() => void> {
    if (!this.#isLimited) return () => undefined;
    const cost = await maxCost();
    await this.refresh();
    const reached = passedBy(this.states, 0, this.#underWay.sum);
    if (reached === undefined) return this.#underWay.setAside(cost);
    const { limitQuestion } = await import('./limitQuestion.ts');
    const { title } = limitQuestion(reached, undefined);
    const rest = reached.spent >= reached.limit ? [] : [l10n.t('Requests in progress may use up the rest.')];
    throw new Error([title, ...rest, l10n.t('Raise it in the settings: modelAccess.limits.')].join(' '));
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#watcher, this.#changed).dispose();
  }

  get #isLimited(): boolean {
    return Object.keys(this.#services.settings.spendingLimits).length > 0;
  }

  async #passed(cost = 0): Promise<LimitState | undefined> {
    if (!this.#isLimited) return undefined;
    await this.refresh();
    return passedBy(this.states, cost, this.#underWay.sum);
  }

  /** Without limits nothing is read. */
  async #read(set: (states: readonly LimitState[]) => void): Promise<void> {
    const { worker, ledger, connection, settings } = this.#services;
    const { daily, monthly } = settings.spendingLimits;
    const { open } = connection;
    if (open === undefined || !this.#isLimited) {
      set([]);
      return;
    }
    const known = this.#underWay.reading();
    const spent = await worker.rpc.readLedger('accountSpend', { ledger, upstream: open.kind });
    set([
      ...(daily === undefined ? [] : [{ period: 'daily', limit: daily, spent: spent.daily } as const]),
      ...(monthly === undefined ? [] : [{ period: 'monthly', limit: monthly, spent: spent.monthly } as const]),
    ]);
    known();
  }

  #refreshSoon(): void {
    if (this.#isLimited) this.#watcher.refreshSoon();
  }
}

async function openLimits(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', 'modelAccess.limits');
}
