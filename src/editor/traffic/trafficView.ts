import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { TrafficHostMessage } from '../../pages/traffic/protocol.ts';
import type { TrafficPageMessage } from '../../pages/traffic/trafficMessages.ts';
import type { TrafficTarget } from '../../rules/trafficChoice.ts';
import type { CommandTable } from '../commands/commands.ts';
import { trafficOf } from '../rows/row.ts';
import { WebviewTab } from '../webviews/webviewTab.ts';
import type { TrafficServices } from './trafficServices.ts';
import type { TrafficSession } from './trafficSession.ts';

export class TrafficView extends WebviewTab<TrafficHostMessage, TrafficPageMessage, TrafficSession> {
  constructor(extensionUri: vscode.Uri, services: TrafficServices) {
    super({
      extensionUri,
      viewType: 'modelAccess.traffic',
      title: l10n.t('Traffic'),
      icon: 'pulse',
      page: 'traffic',
      log: services.log,
      reader: async () => (await import('../../pages/traffic/trafficMessages.ts')).readTrafficMessage,
      load: async (post) => {
        const { TrafficSession } = await import('./trafficSession.ts');
        return new TrafficSession(services, post);
      },
    });
  }

  /** Shows the tab. A target replaces its current choice. */
  async open(target?: TrafficTarget): Promise<void> {
    const session = await this.content;
    // Called before the page asks for what it showed earlier.
    const shown = target === undefined ? undefined : session.show(target);
    await Promise.all([this.reveal(), shown]);
  }

  /** Deletes captured bodies, in whichever window the gateway runs. */
  async deleteBodies(): Promise<void> {
    await (await this.content).receive({ type: 'deleteBodies' });
    if (!this.isOpen) this.dropContent();
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

/** Commands can be called by other extensions with any arguments. */
function readTarget(value: unknown): TrafficTarget | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const texts = TEXTS.filter((name) => typeof given[name] === 'string');
  const times = TIMES.filter((name) => Number.isFinite(given[name]));
  return Object.fromEntries([...texts, ...times].map((name) => [name, given[name]])) as TrafficTarget;
}
