import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { UsageHostMessage } from '../../pages/usage/protocol.ts';
import type { UsagePageMessage } from '../../pages/usage/usageMessages.ts';
import type { CommandTable } from '../commands/commands.ts';
import { WebviewTab } from '../webviews/webviewTab.ts';
import type { UsageServices } from './usageServices.ts';
import type { UsageSession } from './usageSession.ts';

export class UsageView extends WebviewTab<UsageHostMessage, UsagePageMessage, UsageSession> {
  constructor(extensionUri: vscode.Uri, services: UsageServices) {
    super({
      extensionUri,
      viewType: 'modelAccess.usage',
      title: l10n.t('Usage'),
      icon: 'graph',
      page: 'usage',
      log: services.log,
      reader: async () => (await import('../../pages/usage/usageMessages.ts')).readUsageMessage,
      load: async (post) => {
        const { UsageSession } = await import('./usageSession.ts');
        return new UsageSession(services, post);
      },
    });
  }

  /** The sums are read while the page loads. */
  async open(): Promise<void> {
    const reading = this.content.then((session) => session.read());
    await Promise.all([this.reveal(), reading]);
  }
}

export function usageCommands(view: UsageView): CommandTable {
  return { 'modelAccess.openUsage': { run: () => view.open() } };
}
