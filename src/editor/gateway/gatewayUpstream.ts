import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRecord } from '../../formats/json.ts';
import type { resolveEntry } from '../../gateway/routing/resolvedEntry.ts';
import type { RouteList } from '../../gateway/routing/routes/routeEntry.ts';
import type { KnownNames } from '../../gateway/routing/routes/routeErrors.ts';
import type { ServiceSettings, UpstreamSettings } from '../../gateway/routing/upstreams.ts';
import type { CompatibleSettings } from '../../gateway/upstreams/compatible.ts';
import type { NetworkSettings } from '../../gateway/upstreams/dispatcher.ts';
import type { AliasList, ConfiguredUpstream } from '../../settings/upstreamList.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { Settings } from '../settings/settings.ts';
import type { UpstreamKeys } from './upstreamKeys.ts';
import type { UpstreamProblems } from './upstreamProblems.ts';

export interface GatewayUpstreamServices {
  readonly connection: ConnectionManager;
  readonly upstreamKeys: UpstreamKeys;
  readonly settings: Settings;
}

/** What the gateway sends requests to: the service or the sandbox, the upstreams of the settings, or both. */
export class GatewayUpstream implements vscode.Disposable {
  readonly #services: GatewayUpstreamServices;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #shownProblem = '';
  /** The last routes without an error. */
  #routes: RouteList | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(services: GatewayUpstreamServices) {
    const { connection, upstreamKeys, settings } = services;
    const fire = () => this.#changed.fire();
    this.#services = services;
    this.#subscriptions = [
      connection.onDidChange(fire),
      upstreamKeys.onDidChange(fire),
      settings.onDidChange(['upstreams', 'routes', 'gateway.aliases', 'gateway.editorModels'], fire),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('http')) fire();
      }),
    ];
  }

  get isAvailable(): boolean {
    const { connection, settings } = this.#services;
    return connection.open !== undefined || settings.editorModels || settings.upstreams.upstreams.length > 0;
  }

  /** Returns whether an upstream is available, after waiting for a connection attempt in progress. */
  async isReady(): Promise<boolean> {
    await this.#services.connection.isOpen();
    return this.isAvailable;
  }

  /** Resolves when an upstream is available. */
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

  /**
   * Reads the upstreams. Shows errors in the settings and uses the other entries.
   * @throws if no upstream is left.
   */
  async read(): Promise<UpstreamSettings> {
    const { settings } = this.#services;
    const { upstreams, problems } = settings.upstreams;
    const routeProblems = await this.#readRoutes();
    const { aliases, problems: aliasProblems } = await this.#readAliases();
    const { resolveEntry: resolve } = await import('../../gateway/routing/resolvedEntry.ts');
    const resolved = upstreams.map((upstream) => resolve(upstream, process.env));
    const unsent = resolved.flatMap(({ settings: { id }, unset }) => unset.map((name) => unsentHeader(id, name)));
    void this.#show({ upstreams: [...problems, ...unsent], aliases: aliasProblems, routes: routeProblems });
    const network = readNetworkSettings();
    const service = this.#service(network);
    const { editorModels } = settings;
    const routes = this.#routes;
    const isPlain =
      upstreams.length === 0 && Object.keys(aliases).length === 0 && !editorModels && routes === undefined;
    if (isPlain && service !== undefined) return service;
    if (isPlain)
      throw new Error(l10n.t('The gateway needs a service key, the sandbox, or an upstream in the settings.'));
    const members = await Promise.all(resolved.map((upstream) => this.#withKey(upstream.settings, network)));
    return {
      kind: 'routed',
      upstreams: members,
      aliases,
      editorModels,
      ...(routes !== undefined && { routes }),
      ...(service !== undefined && { service }),
    };
  }

  /** The names that routes may refer to. A service accepts every name, since its catalog may be out of date. */
  get knownNames(): KnownNames {
    const { connection, settings } = this.#services;
    const { open } = connection;
    const service = open === undefined ? [] : [{ id: open.kind === 'sandbox' ? 'sandbox' : 'hosted', models: ['*'] }];
    const others = settings.editorModels ? [{ id: 'editor', models: ['*'] }] : [];
    return {
      upstreams: [...settings.upstreams.upstreams, ...service, ...others],
      aliases: settings.gatewayAliases.aliases,
    };
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  /** Reads the routes, and keeps the previous ones while the setting has errors. Returns the errors. */
  async #readRoutes(): Promise<readonly string[]> {
    const written = this.#services.settings.routes;
    if (isRecord(written) && Object.keys(written).length === 0) {
      this.#routes = undefined;
      return [];
    }
    const { readRouteList } = await import('../../settings/routeList.ts');
    const { routes, problems } = readRouteList(written, this.knownNames);
    if (routes !== undefined) this.#routes = routes;
    return problems;
  }

  /** Reads the aliases, without invalid ones. */
  async #readAliases(): Promise<AliasList> {
    const written = this.#services.settings.gatewayAliases;
    if (Object.keys(written.aliases).length === 0) return written;
    const { usableAliases } = await import('../../settings/routeList.ts');
    const { aliases, problems } = usableAliases(this.#routes ?? {}, this.knownNames);
    return { aliases, problems: [...written.problems, ...problems] };
  }

  #service(network: NetworkSettings): ServiceSettings | undefined {
    const { open } = this.#services.connection;
    if (open === undefined || open.kind === 'sandbox') return open && { kind: 'sandbox' };
    return { kind: 'hosted', baseAddress: open.baseAddress, serviceKey: open.key.reveal(), network };
  }

  async #withKey(
    { secret = [], fillIn: _, ...settings }: ResolvedUpstream,
    network: NetworkSettings,
  ): Promise<CompatibleSettings> {
    const stored = await Promise.all([secret].flat().map((name) => this.#services.upstreamKeys.read(name)));
    const [apiKey, ...furtherKeys] = stored.filter((key) => key !== undefined);
    return {
      ...settings,
      network,
      ...(apiKey !== undefined && { apiKey }),
      ...(furtherKeys.length > 0 && { furtherKeys }),
    };
  }

  /** Shows the errors in the settings, once until they change. */
  async #show(problems: UpstreamProblems): Promise<void> {
    const sentences = Object.values(problems).flat().join(' ');
    if (sentences === this.#shownProblem) return;
    this.#shownProblem = sentences;
    if (sentences === '') return;
    const { showProblems } = await import('./upstreamProblems.ts');
    await showProblems(problems, this.#routes !== undefined, this.#services.connection);
  }
}

/** An upstream of the settings with the values of environment variables. */
type ResolvedUpstream = ReturnType<typeof resolveEntry<ConfiguredUpstream>>['settings'];

function unsentHeader(id: string, name: string): string {
  return l10n.t(
    'Upstream “{0}”: A header is not sent because the environment variable {1} is not set or contains other characters than ASCII.',
    id,
    name,
  );
}

/** Reads the editor's `http.*` settings for the worker, where the editor does not apply them. */
function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration('http');
  const strictSSL = http.get<boolean>('proxyStrictSSL', true);
  // An empty address means no proxy, regardless of the environment variables.
  if (http.get<string>('proxySupport') === 'off') return { proxy: '', strictSSL };
  const proxy = http.get<string>('proxy', '').trim();
  const proxyAuthorization = http.get<string | null>('proxyAuthorization', null);
  return {
    noProxy: http.get<string[]>('noProxy', []),
    strictSSL,
    ...(proxy !== '' && { proxy }),
    ...(proxyAuthorization !== null && { proxyAuthorization }),
  };
}
