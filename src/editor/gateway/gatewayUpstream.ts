import * as vscode from 'vscode';
import type { KnownNames } from '../../gateway/routing/routes/routeErrors.ts';
import type { UpstreamSettings } from '../../gateway/routing/upstreams.ts';
import { Lazy } from '../lazy.ts';
import type { UpstreamServices } from './upstreamReader.ts';

/** What the gateway sends requests to: the service or the sandbox, the upstreams of the settings, or both. */
export class GatewayUpstream implements vscode.Disposable {
  readonly #services: UpstreamServices;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #reader = new Lazy(async () => {
    const { UpstreamReader } = await import('./upstreamReader.ts');
    return new UpstreamReader(this.#services, () => this.knownNames);
  });

  readonly onDidChange = this.#changed.event;

  constructor(services: UpstreamServices) {
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
    return (await this.#reader.get()).read();
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
}
