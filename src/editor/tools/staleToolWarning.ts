import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import type { GatewayController } from '../gateway/gatewayController.ts';
import type { Log } from '../log/log.ts';
import type { ReconnectServices } from './reconnect.ts';
import { isStale, type ToolConnection } from './toolConnections.ts';

export interface StaleToolServices extends ReconnectServices {
  readonly gateway: GatewayController;
  readonly log: Log;
}

/**
 * Warns when the gateway starts at a different address than connected tools are configured for, as after a change of
 * the port, or on each start with port 0.
 */
export class StaleToolWarning implements vscode.Disposable {
  readonly #services: StaleToolServices;
  readonly #subscription: vscode.Disposable;
  /** The address of the last warning. Windows open and close while the gateway's address stays the same. */
  #warned: string | undefined;

  constructor(services: StaleToolServices) {
    this.#services = services;
    this.#subscription = services.gateway.onDidChange(() => this.#follow());
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Only the window that runs the gateway warns. */
  #follow(): void {
    const { gateway, toolConnections, log } = this.#services;
    const { state } = gateway;
    if (state.state !== 'running' || state.owner === 'other' || state.address === this.#warned) return;
    // Settings that were copied by hand are not included, because it is unknown where they were pasted.
    const stale = toolConnections.all.filter((tool) => tool.file !== undefined && isStale(tool, state.address));
    if (stale.length === 0) return;
    this.#warned = state.address;
    this.#warn(stale, state.address).catch((error: unknown) => {
      log.error('A tool could not be reconnected', error);
      void vscode.window.showErrorMessage(errorText(error));
    });
  }

  async #warn(stale: readonly ToolConnection[], address: string): Promise<void> {
    const { offerReconnect } = await import('./reconnect.ts');
    await offerReconnect(stale, address, this.#services);
  }
}
