import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { CommandTable } from '../commands/commands.ts';
import { trafficOf } from '../rows/row.ts';
import { WebviewTab } from '../webviews/webviewTab.ts';
import type { TrafficHostMessage, TrafficPageMessage, TrafficTarget } from './protocol.ts';
import type { TrafficServices } from './trafficServices.ts';
import type { TrafficSession } from './trafficSession.ts';

/** The traffic tab. What it shows is loaded with the first look at it. */
export class TrafficView implements vscode.Disposable {
  readonly #services: TrafficServices;
  readonly #tab: WebviewTab<TrafficHostMessage, TrafficPageMessage>;
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

  /** Shows the tab, with a choice in the place of the one that it had where a target is given. */
  async open(target?: TrafficTarget): Promise<void> {
    const session = this.#open(target);
    await this.#tab.open();
    if (target !== undefined) await (await session).show(target);
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

  #open(target?: TrafficTarget): Promise<TrafficSession> {
    this.#session ??= this.#load(target);
    return this.#session;
  }

  async #load(target: TrafficTarget | undefined): Promise<TrafficSession> {
    const { TrafficSession } = await import('./trafficSession.ts');
    return new TrafficSession(this.#services, (message) => this.#tab.post(message), target);
  }

  #close(): void {
    void this.#session?.then((session) => session.dispose());
    this.#session = undefined;
  }
}

export function trafficCommands(view: TrafficView): CommandTable {
  return {
    'modelAccess.openTraffic': { run: (target) => view.open(readTarget(target)) },
    'modelAccess.showInTraffic': { run: (row) => view.open(readTarget(trafficOf(row))) },
    'modelAccess.deleteCapturedBodies': { run: () => view.deleteBodies() },
  };
}

const TEXTS = ['model', 'client', 'localKeyId', 'source', 'conversationId', 'sessionId', 'text', 'exchange'] as const;
const TIMES = ['from', 'to'] as const;

/** Commands can be called by anybody with anything. */
function readTarget(value: unknown): TrafficTarget | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const texts = TEXTS.filter((name) => typeof given[name] === 'string');
  const times = TIMES.filter((name) => Number.isFinite(given[name]));
  return Object.fromEntries([...texts, ...times].map((name) => [name, given[name]])) as TrafficTarget;
}
