import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';

/** Shows what can be done about the sandbox. */
export async function openSandboxMenu(worker: GatewayWorker): Promise<void> {
  const items = [
    {
      label: l10n.t('Start Again'),
      detail: l10n.t('Restores the sample credit. Chats and usage are kept.'),
      iconPath: new vscode.ThemeIcon('debug-restart'),
      run: () => startAgain(worker),
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

async function startAgain(worker: GatewayWorker): Promise<void> {
  worker.send({ type: 'restartSandbox' });
  await vscode.commands.executeCommand('modelAccess.refreshBalance');
}
