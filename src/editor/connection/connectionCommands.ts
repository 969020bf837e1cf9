import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandTable } from '../commands/commands.ts';
import type { Settings } from '../settings/settings.ts';
import type { ConnectionManager } from './connectionManager.ts';

export function connectionCommands(connection: ConnectionManager, settings: Settings): CommandTable {
  return {
    'modelAccess.trySandbox': { run: () => switchSandbox(connection, settings, true) },
    'modelAccess.leaveSandbox': { run: () => switchSandbox(connection, settings, false) },
  };
}

async function switchSandbox(connection: ConnectionManager, settings: Settings, enabled: boolean): Promise<void> {
  await settings.setSandboxEnabled(enabled);
  await connection.refresh();
  const { current } = connection;
  if (current.kind === 'none' && current.problem !== undefined) throw new Error(current.problem);
}

/** Offers the ways to connect, for commands that need a connection. */
export async function offerConnection(): Promise<void> {
  const setKey = l10n.t('Set Service Key');
  const sandbox = l10n.t('Try the Sandbox');
  const choice = await vscode.window.showInformationMessage(
    l10n.t('This requires a service key. Set your key or try the sandbox: sample answers, sample money.'),
    setKey,
    sandbox,
  );
  if (choice === setKey) await vscode.commands.executeCommand('modelAccess.setServiceKey');
  if (choice === sandbox) await vscode.commands.executeCommand('modelAccess.trySandbox');
}

/**
 * Offers the same ways in a quick pick, for places where the user chooses models. A notification could stay unread
 * there.
 */
export async function chooseConnection(): Promise<void> {
  const choice = await vscode.window.showQuickPick(
    [
      { label: l10n.t('Set Service Key'), iconPath: new vscode.ThemeIcon('key'), command: 'modelAccess.setServiceKey' },
      {
        label: l10n.t('Try the Sandbox'),
        description: l10n.t('Sample answers, sample money.'),
        iconPath: new vscode.ThemeIcon('beaker'),
        command: 'modelAccess.trySandbox',
      },
    ],
    // The menu that opens this takes the focus back when it closes.
    {
      title: 'Model Access',
      placeHolder: l10n.t('Models require a service key or the sandbox'),
      ignoreFocusOut: true,
    },
  );
  if (choice !== undefined) await vscode.commands.executeCommand(choice.command);
}
