import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { SessionHostMessage } from '../../pages/session/protocol.ts';
import type { SessionPageMessage } from '../../pages/session/sessionMessages.ts';
import type { CommandTable } from '../commands/commands.ts';
import { WebviewTab } from '../webviews/webviewTab.ts';
import type { SessionPageState } from './sessionPage.ts';
import type { SessionServices } from './sessionServices.ts';

export class SessionView extends WebviewTab<SessionHostMessage, SessionPageMessage, SessionPageState> {
  constructor(extensionUri: vscode.Uri, services: SessionServices) {
    super({
      extensionUri,
      viewType: 'modelAccess.session',
      title: l10n.t('Session'),
      icon: 'history',
      page: 'session',
      log: services.log,
      reader: async () => (await import('../../pages/session/sessionMessages.ts')).readSessionMessage,
      load: async (post) => {
        const { SessionPageState } = await import('./sessionPage.ts');
        return new SessionPageState(services, (message) => {
          if (message.type === 'session') this.title = message.state.name;
          post(message);
        });
      },
    });
  }

  /** Shows a session in the tab, in place of the previous one. */
  async open(sessionId: string): Promise<void> {
    await Promise.all([this.reveal(), (await this.content).show(sessionId)]);
  }
}

/** The command's argument is the session's ID, which other views pass. */
export function sessionCommands(view: SessionView, services: Pick<SessionServices, 'worker'>): CommandTable {
  const actions = () => import('./sessionActions.ts');
  return {
    'modelAccess.raiseSessionCap': { run: async (row) => (await actions()).raiseSessionCap(row, services) },
    'modelAccess.endSession': { run: async (row) => (await actions()).endSession(row, services) },
    'modelAccess.openSession': {
      run: async (sessionId) => {
        if (typeof sessionId === 'string') await view.open(sessionId);
      },
    },
  };
}
