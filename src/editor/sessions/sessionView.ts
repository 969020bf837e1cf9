import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { CommandTable } from '../commands/commands.ts';
import { WebviewTab } from '../webviews/webviewTab.ts';
import type { SessionHostMessage, SessionPageMessage } from './protocol.ts';
import type { SessionPage } from './sessionPage.ts';
import type { SessionServices } from './sessionServices.ts';

/** The tab of one session. What it shows is loaded with the first look at it. */
export class SessionView implements vscode.Disposable {
  readonly #services: SessionServices;
  readonly #tab: WebviewTab<SessionHostMessage, SessionPageMessage>;
  #page: Promise<SessionPage> | undefined;

  constructor(extensionUri: vscode.Uri, services: SessionServices) {
    this.#services = services;
    this.#tab = new WebviewTab({
      extensionUri,
      viewType: 'modelAccess.session',
      title: l10n.t('Session'),
      icon: 'history',
      page: 'session',
      log: services.log,
      receive: async (message) => (await this.#load()).receive(message),
    });
    this.#tab.onDidClose(() => this.#close());
  }

  /** Shows a session, in the place of the one that the tab showed. */
  async open(sessionId: string): Promise<void> {
    const page = await this.#load();
    await Promise.all([this.#tab.open(), page.show(sessionId)]);
  }

  dispose(): void {
    this.#close();
    this.#tab.dispose();
  }

  #load(): Promise<SessionPage> {
    this.#page ??= this.#create();
    return this.#page;
  }

  async #create(): Promise<SessionPage> {
    const { SessionPage } = await import('./sessionPage.ts');
    return new SessionPage(this.#services, (message) => {
      if (message.type === 'session') this.#tab.title = message.state.name;
      this.#tab.post(message);
    });
  }

  #close(): void {
    void this.#page?.then((page) => page.dispose());
    this.#page = undefined;
  }
}

/** Takes the id of a session, as other views have it. */
export function sessionCommands(view: SessionView): CommandTable {
  return {
    'modelAccess.openSession': {
      run: async (sessionId) => {
        if (typeof sessionId === 'string') await view.open(sessionId);
      },
    },
  };
}
