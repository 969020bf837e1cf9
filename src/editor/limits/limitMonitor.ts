import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type LimitState, passedBy } from '../../limits/limitState.ts';
import { PendingCosts } from '../../limits/pendingCosts.ts';
import { SpendWatcher } from '../../limits/spendWatcher.ts';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';

export interface LimitServices {
  readonly worker: GatewayWorker;
  /** The path of the ledger's database file. */
  readonly ledger: string;
  readonly calls: CallRecorder;
  readonly connection: ConnectionManager;
  readonly settings: Settings;
  readonly log: Log;
}

/** Tracks the user's spending limits for the service key, and asks before one is exceeded. */
export class LimitMonitor implements vscode.Disposable {
  readonly #services: LimitServices;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #pending = new PendingCosts();
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

  /** The limits that are set. */
  get states(): readonly LimitState[] {
    return this.#watcher.value;
  }

  /** Never rejects. On failure, the previous states stay. */
  refresh(): Promise<void> {
    return this.#watcher.refresh();
  }

  /**
   * Asks the user before a limit is exceeded. The cost of an allowed request is reserved, so that two requests cannot
   * pass the same rest of a limit.
   * @param cost The cost of the request in US dollars, if known.
   * @param chat The title of the chat that sends it, if the user does not see it.
   * @returns a function to call when the request has ended, or is not sent; undefined if it must not be sent.
   */
  async reserve(cost?: number, chat?: string): Promise<(() => void) | undefined> {
    if (!this.#isLimited) return () => undefined;
    await this.refresh();
    // Nothing is awaited between the check and the reservation.
    const passed = passedBy(this.states, cost, this.#pending.sum);
    if (passed === undefined || (await this.#isWanted(passed, cost, chat))) return this.#pending.reserve(cost ?? 0);
    return undefined;
  }

  async #isWanted(passed: LimitState, cost: number | undefined, chat: string | undefined): Promise<boolean> {
    const { limitQuestion } = await import('../../limits/limitText.ts');
    const { title, detail } = limitQuestion(passed, cost, chat);
    const [send, change] = [l10n.t('Send Anyway'), l10n.t('Change Limit')];
    const choice = await vscode.window.showWarningMessage(title, { modal: true, detail }, send, change);
    if (choice === change) await openLimits();
    return choice === send;
  }

  /**
   * Checks the limits for calls of agents, without asking the user. As in the gateway, the possible cost of calls in
   * progress counts; a single call may exceed a limit by its own cost.
   * @param maxCost Computes the request's maximum cost in US dollars; called only if there are limits.
   * @returns a function to call when the call ends.
   * @throws if a limit is reached, or calls in progress may reach it.
   */
  async admit(maxCost: () => Promise<number>): Promise<() => void> {
    if (!this.#isLimited) return () => undefined;
    const cost = await maxCost();
    await this.refresh();
    const reached = passedBy(this.states, 0, this.#pending.sum);
    if (reached === undefined) return this.#pending.reserve(cost);
    const { limitQuestion } = await import('../../limits/limitText.ts');
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

  /** Reads nothing if no limit is set. */
  async #read(set: (states: readonly LimitState[]) => void): Promise<void> {
    const { worker, ledger, connection, settings } = this.#services;
    const { daily, monthly } = settings.spendingLimits;
    const { open } = connection;
    if (open === undefined || !this.#isLimited) {
      set([]);
      return;
    }
    const known = this.#pending.reading();
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
