import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Shows a notification with the ways to connect. */
export async function askToConnect(): Promise<void> {
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

/** Asks for a key for another base address: the key that is set is sent to its own address only. */
export async function offerKeyFor(address: string, current: string): Promise<void> {
  const setKey = l10n.t('Set Service Key');
  const message = l10n.t(
    'The service key was set for {0} and is only sent there. Set a key for {1}.',
    current,
    address,
  );
  if ((await vscode.window.showWarningMessage(message, setKey)) === setKey)
    await vscode.commands.executeCommand('modelAccess.setServiceKey');
}

/** Shows the same ways in a quick pick, because a notification could stay unread where the user chooses models. */
export async function pickConnection(): Promise<void> {
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
