import * as vscode from 'vscode';
import { errorText } from '../../display/errorText.ts';
import type { GatewayController } from '../gateway/gatewayController.ts';
import type { Log } from '../log/log.ts';
import type { ReconnectServices } from './reconnect.ts';
import { isStale, type ToolConnection } from './toolConnections.ts';

export interface StaleToolServices extends ReconnectServices {
  readonly gateway: GatewayController;
  readonly log: Log;
}

/**
 * Warns when the gateway starts at another address than connected tools were told, as it does after a change of the
 * port, or with port 0 each time.
 */
export class StaleToolWarning implements vscode.Disposable {
  readonly #services: StaleToolServices;
  readonly #subscription: vscode.Disposable;
  /** The address that was warned of last: windows come and go while the gateway stays where it is. */
  #warned: string | undefined;

  constructor(services: StaleToolServices) {
    this.#services = services;
    this.#subscription = services.gateway.onDidChange(() => this.#follow());
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** One window speaks for all: that in which the gateway runs. */
  #follow(): void {
    const { gateway, toolConnections, log } = this.#services;
    const { state } = gateway;
    if (state.state !== 'running' || state.owner === 'other' || state.address === this.#warned) return;
    // What was copied by hand is not warned of: nobody knows where it went.
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
