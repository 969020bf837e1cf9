import * as vscode from 'vscode';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import type { GatewayController } from '../gateway/gatewayController.ts';
import type { GatewayPresence } from '../gateway/gatewayPresence.ts';
import type { GatewayWorker } from '../gateway/gatewayWorker.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import type { KeySpending } from '../localKeys/keySpending.ts';
import type { Log } from '../log/log.ts';
import type { Row } from '../rows/row.ts';
import { RowTree } from '../rows/rowTree.ts';
import type { ToolConnections } from '../tools/toolConnections.ts';

const VIEW = 'modelAccess.gateway';
/** Agents send many requests in a row; what keys have spent is read once for all that come within this time. */
const PAUSE_MS = 500;
/** How often times that pass are written anew. */
const MINUTE_MS = 60_000;

export interface GatewayViewServices {
  readonly gateway: GatewayController;
  readonly presence: GatewayPresence;
  readonly worker: GatewayWorker;
  readonly localKeys: LocalKeyStore;
  readonly spending: KeySpending;
  readonly toolConnections: ToolConnections;
  readonly log: Log;
}

/** The gateway in the side bar. While it does not run the view is empty: the manifest's `viewsWelcome` says what to do. */
export class GatewayView implements vscode.Disposable {
  readonly #services: GatewayViewServices;
  readonly #tree = new RowTree(() => this.#rows());
  readonly #view: vscode.TreeView<Row>;
  readonly #subscriptions: vscode.Disposable[];
  #pause: NodeJS.Timeout | undefined;
  #clock: NodeJS.Timeout | undefined;

  constructor(services: GatewayViewServices) {
    const { gateway, localKeys, worker, toolConnections } = services;
    this.#services = services;
    this.#view = vscode.window.createTreeView(VIEW, { treeDataProvider: this.#tree });
    const soon = () => this.#refreshSoon();
    this.#subscriptions = [
      gateway.onDidChange(() => this.#follow()),
      localKeys.onDidChange(soon),
      worker.onDidExchange(soon),
      toolConnections.onDidChange(soon),
      this.#view.onDidChangeVisibility(() => this.#follow()),
    ];
    this.#follow();
  }

  /** The rows that the editor would be given now. */
  rows(): Promise<Row[]> {
    return this.#tree.getChildren();
  }

  dispose(): void {
    clearTimeout(this.#pause);
    clearInterval(this.#clock);
    vscode.Disposable.from(...this.#subscriptions, this.#view, this.#tree).dispose();
  }

  #follow(): void {
    this.#show().catch((error: unknown) => this.#services.log.error('The gateway view could not be drawn', error));
  }

  async #show(): Promise<void> {
    const { state } = this.#services.gateway;
    // Without a message the property must be empty, or the editor keeps room for it.
    this.#view.message = state.state === 'failed' ? state.problem : '';
    const isInUse = state.state === 'failed' && state.portInUse !== undefined;
    // The editor decides which buttons of a row can be pressed when it draws it, so the contexts have to be there.
    await vscode.commands.executeCommand('setContext', 'modelAccess.gatewayPortInUse', isInUse);
    clearInterval(this.#clock);
    if (!this.#view.visible) return;
    if (state.state === 'running') this.#clock = setInterval(() => this.#tree.refresh(), MINUTE_MS);
    this.#tree.refresh();
  }

  #refreshSoon(): void {
    if (!this.#view.visible) return;
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.#tree.refresh();
    }, PAUSE_MS);
  }

  async #rows(): Promise<readonly Row[]> {
    const { gateway, presence, spending, toolConnections } = this.#services;
    if (gateway.state.state !== 'running') return [];
    const listening = gateway.state;
    const [{ gatewayRows }, { toolFacts }] = await Promise.all([import('./gatewayRows.ts'), import('./toolFacts.ts')]);
    const keys = await this.#keys();
    const since = presence.since;
    const facts = {
      listening,
      ...(since !== undefined && { since }),
      ...(keys !== undefined && { keys }),
      spend: await spending.read(keys ?? []),
      tools: toolFacts(toolConnections.all, keys ?? [], listening.address),
    };
    return gatewayRows(facts, Date.now());
  }

  async #keys(): Promise<readonly IssuedKey[] | undefined> {
    try {
      return (await this.#services.localKeys.read()).keys;
    } catch (error) {
      this.#services.log.warn('The local keys could not be read', error);
      return undefined;
    }
  }
}
