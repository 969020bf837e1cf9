import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { CommandTable } from '../commands/commands.ts';
import { WebviewTab } from '../webviews/webviewTab.ts';
import type { HostMessage, PageMessage, TrafficChoice } from './protocol.ts';
import type { TrafficServices } from './trafficServices.ts';
import type { TrafficSession } from './trafficSession.ts';

/** The traffic tab. What it shows is loaded with the first look at it. */
export class TrafficView implements vscode.Disposable {
  readonly #services: TrafficServices;
  readonly #tab: WebviewTab<HostMessage, PageMessage>;
  #session: Promise<TrafficSession> | undefined;

  constructor(extensionUri: vscode.Uri, services: TrafficServices) {
    this.#services = services;
    this.#tab = new WebviewTab({
      extensionUri,
      viewType: 'modelAccess.traffic',
      title: l10n.t('Traffic'),
      icon: 'pulse',
      page: 'traffic',
      log: services.log,
      receive: async (message) => (await this.#open()).receive(message),
    });
    this.#tab.onDidClose(() => this.#close());
  }

  /** Shows the tab, with a choice in the place of the one that it had where one is given. */
  async open(choice?: TrafficChoice): Promise<void> {
    const session = this.#open(choice);
    await this.#tab.open();
    if (choice !== undefined) await (await session).choose(choice);
  }

  /** Deletes what was captured, wherever the gateway runs. */
  async deleteBodies(): Promise<void> {
    await (await this.#open()).receive({ type: 'deleteBodies' });
    if (!this.#tab.isOpen) this.#close();
  }

  dispose(): void {
    this.#close();
    this.#tab.dispose();
  }

  #open(choice?: TrafficChoice): Promise<TrafficSession> {
    this.#session ??= this.#load(choice);
    return this.#session;
  }

  async #load(choice: TrafficChoice | undefined): Promise<TrafficSession> {
    const { TrafficSession } = await import('./trafficSession.ts');
    return new TrafficSession(this.#services, (message) => this.#tab.post(message), choice);
  }

  #close(): void {
    void this.#session?.then((session) => session.dispose());
    this.#session = undefined;
  }
}

export function trafficCommands(view: TrafficView): CommandTable {
  return {
    'modelAccess.openTraffic': { run: (choice) => view.open(readChoice(choice)) },
    'modelAccess.deleteCapturedBodies': { run: () => view.deleteBodies() },
  };
}

const TEXTS = ['model', 'client', 'localKeyId', 'source', 'conversationId', 'text'] as const;
const TIMES = ['from', 'to'] as const;

/** Commands can be called by anybody with anything. */
function readChoice(value: unknown): TrafficChoice | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const texts = TEXTS.filter((name) => typeof given[name] === 'string');
  const times = TIMES.filter((name) => Number.isFinite(given[name]));
  return Object.fromEntries([...texts, ...times].map((name) => [name, given[name]])) as TrafficChoice;
}
