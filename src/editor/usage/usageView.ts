import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { CommandTable } from '../commands/commands.ts';
import { WebviewTab } from '../webviews/webviewTab.ts';
import type { UsageHostMessage, UsagePageMessage } from './protocol.ts';
import type { UsageServices } from './usageServices.ts';
import type { UsageSession } from './usageSession.ts';

/** The usage tab. What it shows is loaded with the first look at it. */
export class UsageView implements vscode.Disposable {
  readonly #services: UsageServices;
  readonly #tab: WebviewTab<UsageHostMessage, UsagePageMessage>;
  #session: Promise<UsageSession> | undefined;

  constructor(extensionUri: vscode.Uri, services: UsageServices) {
    this.#services = services;
    this.#tab = new WebviewTab({
      extensionUri,
      viewType: 'modelAccess.usage',
      title: l10n.t('Usage'),
      icon: 'graph',
      page: 'usage',
      log: services.log,
      receive: async (message) => (await this.#open()).receive(message),
    });
    this.#tab.onDidClose(() => this.#close());
  }

  /** The sums are read while the page loads. */
  async open(): Promise<void> {
    const reading = this.#open().then((session) => session.read());
    await Promise.all([this.#tab.open(), reading]);
  }

  dispose(): void {
    this.#close();
    this.#tab.dispose();
  }

  #open(): Promise<UsageSession> {
    this.#session ??= this.#load();
    return this.#session;
  }

  async #load(): Promise<UsageSession> {
    const { UsageSession } = await import('./usageSession.ts');
    return new UsageSession(this.#services, (message) => this.#tab.post(message));
  }

  #close(): void {
    void this.#session?.then((session) => session.dispose());
    this.#session = undefined;
  }
}

export function usageCommands(view: UsageView): CommandTable {
  return { 'modelAccess.openUsage': { run: () => view.open() } };
}
