import * as vscode from 'vscode';
import type { BaseServices } from '../baseServices.ts';
import { showFailure } from '../log/log.ts';
import type { ReconnectServices } from './reconnect.ts';
import { isStale } from './toolConnections.ts';

export type StaleToolServices = ReconnectServices & Pick<BaseServices, 'gateway' | 'log' | 'models'>;

/**
 * Warns when the gateway starts at a different address than connected tools are configured for, as after a change of
 * the port, or on each start with port 0. Offers an update when the list of models has changed.
 */
export class StaleToolWarning implements vscode.Disposable {
  readonly #services: StaleToolServices;
  readonly #subscriptions: vscode.Disposable;
  /** The address of the last warning. Windows open and close while the gateway's address stays the same. */
  #warned: string | undefined;
  /** The lists of models that an update was offered for. */
  readonly #offered = new Set<string>();

  constructor(services: StaleToolServices) {
    this.#services = services;
    const { gateway, models } = services;
    this.#subscriptions = vscode.Disposable.from(
      gateway.onDidChange(() => this.#follow()),
      models.onDidChange(() => this.#followModels()),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Only the window that runs the gateway warns. */
  #follow(): void {
    const { gateway, toolConnections } = this.#services;
    const { state } = gateway;
    if (state.state !== 'running' || state.owner === 'other' || state.address === this.#warned) return;
    // Settings that were copied by hand are not included, because it is unknown where they were pasted.
    const stale = toolConnections.all.filter((tool) => tool.file !== undefined && isStale(tool, state.address));
    if (stale.length === 0) return;
    this.#warned = state.address;
    this.#offer(({ offerReconnect }) => offerReconnect(stale, state.address, this.#services));
  }

  /** Another window that runs the gateway asks instead of this one. */
  #followModels(): void {
    const { gateway, toolConnections, models } = this.#services;
    const { state, models: listed } = models.state;
    const isOther = gateway.state.state === 'running' && gateway.state.owner === 'other';
    const listing = toolConnections.all.filter(({ access }) => access?.others !== undefined);
    const names = listed.map(({ id }) => id).join();
    if (state !== 'current' || isOther || listing.length === 0 || this.#offered.has(names)) return;
    this.#offered.add(names);
    this.#offer(({ offerModels }) => offerModels(listing, listed, this.#services));
  }

  #offer(ask: (module: typeof import('./reconnect.ts')) => Promise<void>): void {
    import('./reconnect.ts').then(ask).catch((error: unknown) => {
      showFailure(this.#services.log, 'A tool could not be updated', error);
    });
  }
}
