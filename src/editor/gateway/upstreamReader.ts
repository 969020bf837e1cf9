import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined, isRecord } from '../../formats/json.ts';
import { resolveEntry } from '../../gateway/routing/resolvedEntry.ts';
import type { RouteList } from '../../gateway/routing/routes/routeEntry.ts';
import type { KnownNames } from '../../gateway/routing/routes/routeErrors.ts';
import type { ServiceSettings, UpstreamSettings } from '../../gateway/routing/upstreams.ts';
import type { CompatibleSettings } from '../../gateway/upstreams/compatible.ts';
import type { NetworkSettings } from '../../gateway/upstreams/dispatcher.ts';
import { readRouteList, usableAliases } from '../../settings/routeList.ts';
import type { AliasList, ConfiguredUpstream } from '../../settings/upstreamList.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { Settings } from '../settings/settings.ts';
import type { UpstreamKeys } from './upstreamKeys.ts';

export interface UpstreamServices {
  readonly connection: ConnectionManager;
  readonly upstreamKeys: UpstreamKeys;
  readonly settings: Settings;
}

/** Reads what the gateway sends requests to. It is loaded when the gateway starts, or a question is for a route. */
export class UpstreamReader {
  readonly #services: UpstreamServices;
  readonly #knownNames: () => KnownNames;
  #shownProblem = '';
  /** The last routes without an error. */
  #routes: RouteList | undefined;

  constructor(services: UpstreamServices, knownNames: () => KnownNames) {
    this.#services = services;
    this.#knownNames = knownNames;
  }

  /**
   * Reads the upstreams. Shows errors in the settings and uses the other entries.
   * @throws if no upstream is left.
   */
  async read(): Promise<UpstreamSettings> {
    const { settings } = this.#services;
    const { upstreams, problems } = settings.upstreams;
    const routeProblems = this.#readRoutes();
    const { aliases, problems: aliasProblems } = this.#readAliases();
    const resolved = upstreams.map((upstream) => resolveEntry(upstream, process.env));
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
      ...defined({ routes, service }),
    };
  }

  /** Reads the routes, and keeps the previous ones while the setting has errors. Returns the errors. */
  #readRoutes(): readonly string[] {
    const written = this.#services.settings.routes;
    if (isRecord(written) && Object.keys(written).length === 0) {
      this.#routes = undefined;
      return [];
    }
    const { routes, problems } = readRouteList(written, this.#knownNames());
    if (routes !== undefined) this.#routes = routes;
    return problems;
  }

  /** Reads the aliases, without invalid ones. */
  #readAliases(): AliasList {
    const written = this.#services.settings.gatewayAliases;
    if (Object.keys(written.aliases).length === 0) return written;
    const { aliases, problems } = usableAliases(this.#routes ?? {}, this.#knownNames());
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

interface UpstreamProblems {
  /** Sentences with the path, the value, and what is allowed. */
  readonly upstreams: readonly string[];
  readonly aliases: readonly string[];
  readonly routes: readonly string[];
}

/** @param hasRoutes whether earlier routes are still used. */
async function showProblems(
  problems: UpstreamProblems,
  hasRoutes: boolean,
  connection: ConnectionManager,
): Promise<void> {
  // Aliases and routes may name models of a service whose connection is being opened. They are then read again.
  const isOpening = connection.open === undefined && (await connection.isOpen());
  const { upstreams, aliases, routes } = isOpening ? { ...problems, aliases: [], routes: [] } : problems;
  const sentences = [...upstreams, ...aliases, ...routes];
  if (upstreams.length + aliases.length > 0) sentences.push(l10n.t('All other entries are used.'));
  if (routes.length > 0) sentences.push(routesInUseText(hasRoutes));
  if (sentences.length === 0) return;
  const setting = upstreams.length > 0 ? 'upstreams' : aliases.length > 0 ? 'gateway.aliases' : 'routes';
  void vscode.window.showWarningMessage(sentences.join(' '), l10n.t('Open Settings')).then((choice) => {
    if (choice === undefined) return undefined;
    return vscode.commands.executeCommand('workbench.action.openSettings', `modelAccess.${setting}`);
  });
}

function routesInUseText(hasRoutes: boolean): string {
  return hasRoutes
    ? l10n.t('The previous routes remain in use.')
    : l10n.t('No routes are used until this error is fixed.');
}
