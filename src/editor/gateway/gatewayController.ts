import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import type { GatewaySettings, ListenCommand } from '../../gateway/sharing/protocol.ts';
import type { SecretValues } from '../connection/secretValues.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import { ListenError, type ListeningAddress } from '../worker/gatewayListener.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';
import { WorkQueue } from '../workQueue.ts';
import type { GatewayPresence } from './gatewayPresence.ts';
import type { GatewayUpstream } from './gatewayUpstream.ts';
import type { LocalKeyStore } from './localKeyStore.ts';

export type GatewayState =
  | { readonly state: 'off' }
  | { readonly state: 'starting' }
  | ({ readonly state: 'running' } & ListeningAddress)
  | { readonly state: 'failed'; readonly problem: string; readonly portInUse?: number };

export interface GatewayServices {
  readonly worker: GatewayWorker;
  readonly localKeys: LocalKeyStore;
  /** The path of the ledger's database file. */
  readonly ledger: string;
  readonly upstream: GatewayUpstream;
  readonly presence: GatewayPresence;
  readonly secretValues: SecretValues;
  readonly settings: Settings;
  readonly log: Log;
}

/** The editor's settings that apply to a running gateway, by their sections. */
const APPLIED: Readonly<Record<string, (settings: Settings) => Partial<GatewaySettings>>> = {
  'gateway.allowedOrigins': ({ gatewayAllowedOrigins }) => ({ allowedOrigins: gatewayAllowedOrigins }),
  limits: ({ spendingLimits }) => ({ limits: spendingLimits }),
  'traffic.captureBodies': ({ captureBodies }) => ({ captureBodies }),
  'secrets.policy': ({ secretPolicy }) => ({ secretPolicy }),
  'gateway.endLoops': ({ endLoops }) => ({ endLoops }),
  'usage.measureContext': ({ measuresContext }) => ({ measureContext: measuresContext }),
  'usage.recordBranch': ({ recordsBranch }) => ({ recordRepositories: recordsBranch }),
};

function appliedSettings(settings: Settings): Partial<GatewaySettings> {
  return Object.assign({}, ...Object.values(APPLIED).map((read) => read(settings)));
}

/**
 * Starts and stops the gateway for other tools, and keeps it in sync with the key and the settings while it runs. All
 * windows of the user share one gateway, which runs in the worker of one of them.
 */
export class GatewayController implements vscode.Disposable {
  readonly #services: GatewayServices;
  readonly #changed = new vscode.EventEmitter<GatewayState>();
  readonly #subscriptions: vscode.Disposable[];
  #state: GatewayState = { state: 'off' };
  /** Starts, stops, and changes, one after the other: each sees the state that the earlier ones have led to. */
  readonly #queue = new WorkQueue();

  readonly onDidChange = this.#changed.event;

  constructor(services: GatewayServices) {
    const { worker, localKeys, upstream, presence, secretValues, settings } = services;
    this.#services = services;
    this.#subscriptions = [
      localKeys.onDidChange(({ keys, revoked }) => this.#change({ localKeys: keys, revokedKeys: revoked })),
      localKeys.onDidChange(() => this.#nameSecrets()),
      secretValues.onDidChange(() => this.#nameSecrets()),
      settings.onDidChange(['secrets.policy', 'upstreams'], () => this.#nameSecrets()),
      upstream.onDidChange(() => this.#followUpstream()),
      presence.onDidAppear(() => this.joinRunning()),
      settings.onDidChange(['gateway.port'], () => this.#followPort()),
      ...Object.entries(APPLIED).map(([section, read]) =>
        settings.onDidChange([section], () => this.#change(read(settings))),
      ),
      vscode.workspace.onDidGrantWorkspaceTrust(() => worker.send({ type: 'grantTrust' })),
      worker.listener.onDidMove((listening) => this.#move(listening)),
      worker.listener.onDidClose((problem) => this.#close(problem)),
      worker.onDidReceiveKeys((received) => this.#reportKeyChange(localKeys.adopt(received))),
      worker.onDidExit(() => this.#close(l10n.t('The gateway’s worker exited.'))),
    ];
  }

  get state(): GatewayState {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#state.state === 'running';
  }

  /**
   * Starts the gateway, or joins that of another window if one runs.
   * @param port the port of the settings by default.
   * @throws if no upstream is available or the port cannot be opened.
   */
  start(port?: number): Promise<ListeningAddress> {
    return this.#queue.run(() => this.#start(port ?? this.#services.settings.gatewayPort));
  }

  /** Starts the gateway when an upstream is available. */
  async startOnceConnected(): Promise<void> {
    await this.#services.upstream.whenAvailable();
    await this.start();
  }

  /** Joins the gateway that another window has started, so that it continues when that window closes. */
  joinRunning(): Promise<void> {
    return this.#queue.run(() => this.#join());
  }

  /** Stops the gateway in all windows. */
  stop(): Promise<void> {
    return this.#queue.run(() => this.#stop());
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  async #start(port: number): Promise<ListeningAddress> {
    if (this.#state.state === 'running') return this.#state;
    this.#set({ state: 'starting' });
    try {
      const listening = await this.#services.worker.listener.listen(await this.#command(port));
      this.#move(listening);
      return listening;
    } catch (error) {
      this.#set(failure(error, port));
      throw error;
    }
  }

  async #stop(): Promise<void> {
    if (this.#state.state === 'off') return;
    await this.#services.worker.listener.close();
    this.#set({ state: 'off' });
  }

  async #join(): Promise<void> {
    const { worker, presence, upstream, settings, log } = this.#services;
    const before = this.#state;
    const isIdle = before.state === 'off' || before.state === 'failed';
    if (!isIdle || !presence.exists || !upstream.isAvailable) return;
    this.#set({ state: 'starting' });
    try {
      const listening = await worker.listener.join(await this.#command(settings.gatewayPort));
      if (listening === undefined) this.#set(before);
      else this.#move(listening);
    } catch (error) {
      this.#set({ state: 'off' });
      log.warn('The gateway of another window could not be joined', error);
    }
  }

  async #command(port: number): Promise<Omit<ListenCommand, 'type'>> {
    const { localKeys, ledger, upstream, presence, settings } = this.#services;
    const { keys, revoked } = await localKeys.read();
    return {
      port,
      localKeys: keys,
      revokedKeys: revoked,
      ledger,
      upstream: await upstream.read(),
      ...appliedSettings(settings),
      isTrusted: vscode.workspace.isTrusted,
      shared: presence.files,
    };
  }

  /** Applies a changed key or service without closing the port. Stops the gateway if no upstream is left. */
  #followUpstream(): Promise<void> {
    const { worker, upstream, log } = this.#services;
    return this.#queue.run(async () => {
      if (!this.isRunning) return this.#join();
      if (!upstream.isAvailable) return this.#stop();
      try {
        worker.send({ type: 'change', settings: { upstream: await upstream.read() } });
      } catch (error) {
        log.error('Could not notify the gateway of the change', error);
      }
    });
  }

  /** Sends a change to the gateway, in whichever window it runs. A change during the start is sent after it. */
  #change(settings: Partial<GatewaySettings>): void {
    void this.#queue.run(async () => {
      if (this.isRunning) this.#services.worker.send({ type: 'change', settings });
    });
  }

  /** Tells the gateway which values are secrets in this window, if requests are searched for any. */
  #nameSecrets(): void {
    if (!this.isRunning) return;
    const { localKeys, settings, secretValues, log } = this.#services;
    const name = async () => {
      const { keys } = await localKeys.read();
      const {
        secretPolicy,
        upstreams: { upstreams },
      } = settings;
      const policies = [
        secretPolicy,
        ...keys.map(({ secrets }) => secrets),
        ...upstreams.map(({ secrets }) => secrets),
      ];
      if (!policies.some((policy) => policy === 'seal' || policy === 'refuse')) return;
      const knownSecrets = await secretValues.read();
      if (knownSecrets.length > 0) this.#change({ knownSecrets });
    };
    name().catch((error: unknown) => log.error('Could not read the values that are secrets', error));
  }

  #reportKeyChange(work: Promise<void>): void {
    work.catch((error) => this.#services.log.error('Could not update the local keys', error));
  }

  /** Every window receives this change: the first one moves the gateway, and the others find it on its new port. */
  #followPort(): Promise<void> {
    const { settings, log } = this.#services;
    return this.#queue.run(async () => {
      const port = settings.gatewayPort;
      if (this.#state.state !== 'running' || port === 0 || this.#state.port === port) return;
      try {
        await this.#stop();
        await this.#start(port);
      } catch (error) {
        log.error('The gateway could not be moved to another port', error);
      }
    });
  }

  #move(listening: ListeningAddress): void {
    const { owner, address } = listening;
    const isKnown = this.#state.state === 'running' && this.#state.owner === owner && this.#state.address === address;
    if (isKnown) return;
    this.#services.log.info(`Gateway at ${address}, in ${owner === 'self' ? 'this' : 'another'} window`);
    this.#set({ state: 'running', ...listening });
    this.#nameSecrets();
  }

  #close(problem: string | undefined): void {
    if (this.#state.state !== 'running') return;
    this.#set(problem === undefined ? { state: 'off' } : { state: 'failed', problem });
  }

  #set(state: GatewayState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}

/** The error message for a port in use, also used where another port is offered. */
export function portInUse(port: number): string {
  return l10n.t('Port {0} is in use by another program or another editor.', port);
}

function failure(error: unknown, port: number): GatewayState {
  const inUse = error instanceof ListenError && error.code === 'EADDRINUSE';
  const reason = errorText(error);
  const problem = inUse ? portInUse(port) : reason;
  return { state: 'failed', problem, ...(inUse && { portInUse: port }) };
}
