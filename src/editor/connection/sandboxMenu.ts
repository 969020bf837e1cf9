import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BaseServices } from '../baseServices.ts';

export type SandboxServices = Pick<BaseServices, 'ledger' | 'worker'>;

/** Shows what can be done about the sandbox. */
export async function openSandboxMenu(services: SandboxServices): Promise<void> {
  const items = [
    {
      label: l10n.t('Start Again'),
      detail: l10n.t('Restores the sample credit. Chats and usage are kept.'),
      iconPath: new vscode.ThemeIcon('debug-restart'),
      run: () => startAgain(services),
    },
    {
      label: l10n.t('Show a Sample Session'),
      detail: l10n.t('What an agent sends, what fills its context, and what that costs.'),
      iconPath: new vscode.ThemeIcon('history'),
      run: () => showSample(services),
    },
    {
      label: l10n.t('Set Service Key'),
      detail: l10n.t('A model answers, for real money.'),
      iconPath: new vscode.ThemeIcon('key'),
      run: () => vscode.commands.executeCommand('modelAccess.setServiceKey'),
    },
    {
      label: l10n.t('Leave the Sandbox'),
      iconPath: new vscode.ThemeIcon('sign-out'),
      run: () => vscode.commands.executeCommand('modelAccess.leaveSandbox'),
    },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: l10n.t('Sandbox: sample money') });
  await chosen?.run();
}

async function startAgain({ worker }: SandboxServices): Promise<void> {
  worker.send({ type: 'restartSandbox' });
  await vscode.commands.executeCommand('modelAccess.refreshBalance');
}

/** The session takes some seconds if the ledger does not have it yet. */
async function showSample({ worker, ledger }: SandboxServices): Promise<void> {
  const progress = { location: vscode.ProgressLocation.Notification, title: l10n.t('Recording a sample session') };
  const sessionId = await vscode.window.withProgress(progress, () => worker.rpc.openSampleSession(ledger));
  await vscode.commands.executeCommand('modelAccess.openSession', sessionId);
}
