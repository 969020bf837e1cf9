import * as vscode from 'vscode';
import type { UpstreamSettings } from '../../gateway/upstreams/upstreams.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { ServiceKeys } from '../keys/serviceKeys.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import { type GatewayWorker, ListenError, type ListeningAddress } from './gatewayWorker.ts';
import type { LocalKeyStore } from './localKeyStore.ts';
import { readNetworkSettings } from './networkSettings.ts';

export type GatewayState =
  | { readonly state: 'off' }
  | { readonly state: 'starting' }
  | ({ readonly state: 'running' } & ListeningAddress)
  | { readonly state: 'failed'; readonly problem: string; readonly portInUse?: number };

export interface GatewayServices {
  readonly worker: GatewayWorker;
  readonly localKeys: LocalKeyStore;
  readonly connection: ConnectionManager;
  readonly keys: ServiceKeys;
  readonly settings: Settings;
  readonly log: Log;
}

/** The gateway for other tools: on and off, and in step with the key and the settings while it runs. */
export class GatewayController implements vscode.Disposable {
  readonly #services: GatewayServices;
  readonly #changed = new vscode.EventEmitter<GatewayState>();
  readonly #subscriptions: vscode.Disposable[];
  #state: GatewayState = { state: 'off' };

  readonly onDidChange = this.#changed.event;

  constructor(services: GatewayServices) {
    const { worker, connection, settings } = services;
    this.#services = services;
    this.#subscriptions = [
      connection.onDidChange(() => this.#followConnection()),
      settings.onDidChange(['gateway.port', 'gateway.allowedOrigins'], () => this.#restart()),
      worker.onDidLose(() => this.#lose()),
    ];
  }

  get state(): GatewayState {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#state.state === 'running';
  }

  /** @throws when there is no connection, or the port cannot be had. */
  async start(port = this.#services.settings.gatewayPort): Promise<ListeningAddress> {
    if (this.#state.state === 'running') return this.#state;
    const { worker, localKeys, settings, log } = this.#services;
    this.#set({ state: 'starting' });
    try {
      const listening = await worker.listen({
        port,
        localKeys: [await localKeys.read()],
        upstream: await this.#upstream(),
        allowedOrigins: settings.gatewayAllowedOrigins,
      });
      log.info(`Gateway at ${listening.address}`);
      this.#set({ state: 'running', ...listening });
      return listening;
    } catch (error) {
      this.#set(failure(error, port));
      throw error;
    }
  }

  /** At once, or as soon as there is a connection. */
  async startOnceConnected(): Promise<void> {
    const { connection } = this.#services;
    if (connection.open === undefined) {
      await new Promise<void>((resolve) => {
        const subscription = connection.onDidChange(({ kind }) => {
          if (kind === 'none') return;
          subscription.dispose();
          resolve();
        });
        this.#subscriptions.push(subscription);
      });
    }
    await this.start();
  }

  async stop(): Promise<void> {
    if (this.#state.state === 'off') return;
    await this.#services.worker.close();
    this.#set({ state: 'off' });
  }

  /** Tools with the earlier key are refused from now on. */
  async rotateKey(): Promise<void> {
    const key = await this.#services.localKeys.rotate();
    if (this.isRunning) this.#services.worker.send({ type: 'setLocalKeys', localKeys: [key] });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  /** A changed key or service takes effect on the open port; without any the gateway stops. */
  async #followConnection(): Promise<void> {
    if (!this.isRunning) return;
    if (this.#services.connection.open === undefined) return await this.stop();
    this.#services.worker.send({ type: 'setUpstream', upstream: await this.#upstream() });
  }

  async #restart(): Promise<void> {
    if (!this.isRunning) return;
    try {
      await this.stop();
      await this.start();
    } catch (error) {
      this.#services.log.error('The gateway could not be restarted', error);
    }
  }

  #lose(): void {
    if (this.#state.state === 'running') this.#set({ state: 'failed', problem: 'The gateway’s worker ended.' });
  }

  async #upstream(): Promise<UpstreamSettings> {
    const { connection, keys } = this.#services;
    const open = connection.open;
    if (open === undefined) throw new Error('The gateway needs a service key or the sandbox.');
    if (open.kind === 'sandbox') return { kind: 'sandbox' };
    const stored = await keys.read();
    if (stored === undefined) throw new Error('The service key was removed.');
    const network = readNetworkSettings();
    return { kind: 'hosted', baseAddress: open.baseAddress, serviceKey: stored.key.reveal(), network };
  }

  #set(state: GatewayState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}

function failure(error: unknown, port: number): GatewayState {
  const problem = error instanceof Error ? error.message : String(error);
  const inUse = error instanceof ListenError && error.code === 'EADDRINUSE';
  return { state: 'failed', problem, ...(inUse && { portInUse: port }) };
}
