import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ServiceSettings, UpstreamSettings } from '../../gateway/routing/upstreams.ts';
import type { CompatibleSettings } from '../../gateway/upstreams/compatible.ts';
import type { NetworkSettings } from '../../gateway/upstreams/dispatcher.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { ServiceKeys } from '../keys/serviceKeys.ts';
import type { Settings } from '../settings/settings.ts';
import type { ConfiguredUpstream } from '../settings/upstreamList.ts';
import { readNetworkSettings } from './networkSettings.ts';
import type { UpstreamKeys } from './upstreamKeys.ts';

export interface GatewayUpstreamServices {
  readonly connection: ConnectionManager;
  readonly keys: ServiceKeys;
  readonly upstreamKeys: UpstreamKeys;
  readonly settings: Settings;
}

/** What stands behind the gateway: the service or the sandbox, the upstreams of the settings, or both. */
export class GatewayUpstream implements vscode.Disposable {
  readonly #services: GatewayUpstreamServices;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #shownProblem = '';

  readonly onDidChange = this.#changed.event;

  constructor(services: GatewayUpstreamServices) {
    const { connection, upstreamKeys, settings } = services;
    const fire = () => this.#changed.fire();
    this.#services = services;
    this.#subscriptions = [
      connection.onDidChange(fire),
      upstreamKeys.onDidChange(fire),
      settings.onDidChange(['upstreams', 'gateway.aliases', 'gateway.editorModels'], fire),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('http')) fire();
      }),
    ];
  }

  get isAvailable(): boolean {
    const { connection, settings } = this.#services;
    return connection.open !== undefined || settings.editorModels || settings.upstreams.upstreams.length > 0;
  }

  /** Whether there is something to answer, once no connection is being made. */
  async isReady(): Promise<boolean> {
    await this.#services.connection.isOpen();
    return this.isAvailable;
  }

  /** Resolves when there is something to answer. */
  async whenAvailable(): Promise<void> {
    if (this.isAvailable) return;
    await new Promise<void>((resolve) => {
      const subscription = this.onDidChange(() => {
        if (!this.isAvailable) return;
        subscription.dispose();
        resolve();
      });
      this.#subscriptions.push(subscription);
    });
  }

  /** Shows what is wrong with the settings; the rest of them counts. @throws when nothing is left to answer. */
  async read(): Promise<UpstreamSettings> {
    const { settings } = this.#services;
    const { upstreams, problems } = settings.upstreams;
    const { aliases, problems: aliasProblems } = settings.gatewayAliases;
    this.#show([...problems, ...aliasProblems]);
    const network = readNetworkSettings();
    const service = await this.#service(network);
    const { editorModels } = settings;
    const isPlain = upstreams.length === 0 && Object.keys(aliases).length === 0 && !editorModels;
    if (isPlain && service !== undefined) return service;
    if (isPlain)
      throw new Error(l10n.t('The gateway needs a service key, the sandbox, or an upstream in the settings.'));
    const members = await Promise.all(upstreams.map((upstream) => this.#withKey(upstream, network)));
    return { kind: 'routed', upstreams: members, aliases, editorModels, ...(service !== undefined && { service }) };
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  async #service(network: NetworkSettings): Promise<ServiceSettings | undefined> {
    const { connection, keys } = this.#services;
    const { open } = connection;
    if (open === undefined || open.kind === 'sandbox') return open && { kind: 'sandbox' };
    const stored = await keys.read();
    if (stored === undefined) throw new Error(l10n.t('The service key was removed.'));
    return { kind: 'hosted', baseAddress: open.baseAddress, serviceKey: stored.key.reveal(), network };
  }

  async #withKey({ secret, ...upstream }: ConfiguredUpstream, network: NetworkSettings): Promise<CompatibleSettings> {
    const apiKey = secret === undefined ? undefined : await this.#services.upstreamKeys.read(secret);
    return { ...upstream, network, ...(apiKey !== undefined && { apiKey }) };
  }

  /** Once, until there is something else to say. */
  #show(problems: readonly string[]): void {
    const message = problems.join(' ');
    if (message === this.#shownProblem) return;
    this.#shownProblem = message;
    if (message === '') return;
    const text = `${message} ${l10n.t('All other entries are used.')}`;
    void vscode.window.showWarningMessage(text, l10n.t('Open Settings')).then((choice) => {
      if (choice === undefined) return undefined;
      return vscode.commands.executeCommand('workbench.action.openSettings', 'modelAccess.upstreams');
    });
  }
}
